import "react";

/** HTML attributes that browsers know and the types of this version of React do not; React renders them as they are. */
declare module "react" {
  interface HTMLAttributes<T> {
    popover?: "auto";
  }
  interface ButtonHTMLAttributes<T> {
    popovertarget?: string;
  }
  interface DetailsHTMLAttributes<T> {
    name?: string;
  }
}

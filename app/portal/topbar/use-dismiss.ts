import { type RefObject, useEffect } from "react";

/**
 * While something is open, closes it for Escape, which also focuses what opened it (the first link or summary of
 * `element`), and for a press outside.
 */
export function useDismiss(element: RefObject<HTMLElement>, isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const onPress = ({ target }: PointerEvent) => {
      if (target instanceof Node && !element.current?.contains(target)) close();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      element.current?.querySelector<HTMLElement>("summary, a")?.focus();
      close();
    };
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("keydown", onKeyDown);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("keydown", onKeyDown);
    };
  }, [element, isOpen, close]);
}

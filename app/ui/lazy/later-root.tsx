import { type ComponentType, type ReactNode, useEffect } from "react";
import { hydrateRoot, type Root } from "react-dom/client";
import { isSameValue } from "./is-same-value.ts";
import type { LazyCode } from "./lazy-code.ts";

/**
 * Hydrates the server's markup of a part once its script is loaded, which begins when the pointer or focus enters it or
 * its data changes. If the script cannot be loaded, the markup stays, until it is entered again.
 */
export class LaterRoot<Props extends object> {
  readonly #code: LazyCode<Props>;
  /** What the markup shows. */
  readonly #first: Props;
  #latest: Props;
  #place: HTMLElement | undefined;
  #root: Root | undefined;
  #isMounted = false;
  #pointer: PointerEvent | undefined;

  constructor(code: LazyCode<Props>, props: Props) {
    this.#code = code;
    this.#first = props;
    this.#latest = props;
  }

  /** Hydrates `place` when it is entered. Returns a function that ends that, and the root. */
  watch(place: HTMLElement): () => void {
    this.#place = place;
    const follow = (event: PointerEvent) => {
      this.#pointer = event;
    };
    const leave = () => {
      this.#pointer = undefined;
    };
    place.addEventListener("pointerover", this.#start);
    place.addEventListener("focusin", this.#start);
    place.addEventListener("pointermove", follow);
    place.addEventListener("pointerleave", leave);
    return () => {
      this.#place = undefined;
      place.removeEventListener("pointerover", this.#start);
      place.removeEventListener("focusin", this.#start);
      place.removeEventListener("pointermove", follow);
      place.removeEventListener("pointerleave", leave);
      const root = this.#root;
      // React unmounts no root while it renders another.
      if (root) setTimeout(() => root.unmount());
    };
  }

  show(props: Props): void {
    this.#latest = props;
    if (this.#isMounted) this.#render();
    else if (!isSameValue(this.#first, props)) this.#start();
  }

  readonly #start = () => {
    const hydrate = (Part: ComponentType<Props>) => {
      if (this.#place) this.#root ??= hydrateRoot(this.#place, this.#elementOf(Part, this.#first));
    };
    this.#code.load().then(hydrate, () => undefined);
  };

  #render(): void {
    const { Part } = this.#code;
    if (Part) this.#root?.render(this.#elementOf(Part, this.#latest));
  }

  #elementOf(Part: ComponentType<Props>, props: Props): ReactNode {
    return (
      <Mounted onMount={this.#mounted}>
        <Part {...props} />
      </Mounted>
    );
  }

  readonly #mounted = () => {
    this.#isMounted = true;
    if (this.#latest !== this.#first) this.#render();
    // Shows what is under the pointer already.
    if (!this.#pointer) return;
    const { target, clientX, clientY } = this.#pointer;
    target?.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, bubbles: true }));
  };
}

function Mounted({ onMount, children }: { onMount: () => void; children: ReactNode }) {
  useEffect(onMount, [onMount]);
  return children;
}

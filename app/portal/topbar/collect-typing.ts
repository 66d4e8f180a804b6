/**
 * Collects the letters that are typed from now on, so that none is lost, or read as a shortcut, while the script of a
 * dialog with a field is loading. Returns a function that ends it and returns them.
 */
export function collectTyping(): () => string {
  let typed = "";
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Backspace") typed = typed.slice(0, -1);
    else if ([...event.key].length === 1) typed += event.key;
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("keydown", onKeyDown, true);
  return () => {
    document.removeEventListener("keydown", onKeyDown, true);
    return typed;
  };
}

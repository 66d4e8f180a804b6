/** Cuts a text after a number of characters; one that is cut ends with an ellipsis. */
export function shortenText(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join("")}…` : text;
}

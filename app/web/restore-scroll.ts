/**
 * What the script of Remix's `ScrollRestoration` does in a page from the server, in half its bytes: while the page is
 * parsed, it names the entry of the history, and scrolls to where the person was.
 */
export const restoreScroll =
  '{const h=history;h.state?.key||h.replaceState({key:Math.random().toString(32).slice(2)},"");try{const y=JSON.parse(sessionStorage.getItem("positions")||"{}")[h.state.key];typeof y=="number"&&scrollTo(0,y)}catch(e){console.error(e);sessionStorage.removeItem("positions")}}';

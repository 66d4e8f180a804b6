/** What is read of a request before its body. A `Request` has it too, but costs as much as the rest of a short call. */
export type RequestHead = { method: string; url: string; headers: Pick<Headers, "get"> };

import { person } from "../data.js";

export const dynamic = "force-dynamic";

export async function GET() {
  const { account_id: _account, ...me } = await person();
  return Response.json(me);
}

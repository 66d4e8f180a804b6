import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { pageTitle } from "#app/domain/branding.ts";
import { handleProfileAction, loadProfile } from "#app/screens/shared/profile/profile.server.ts";
import { ProfileScreen } from "#app/screens/shared/profile/profile-screen.tsx";

export async function loader(args: LoaderFunctionArgs) {
  return loadProfile(args, "advertiser");
}

export async function action(args: ActionFunctionArgs) {
  return handleProfileAction(args, "advertiser");
}

export default ProfileScreen;

export const meta: MetaFunction = () => [{ title: pageTitle("Profile") }];

import type { AudienceId, AudienceObjectId } from "../../../ids.ts";

/** The folder of all objects, with one folder for each audience. */
export const objectsFolder = "audiences/";

export function objectKey(audienceId: AudienceId, objectId: AudienceObjectId): string {
  return `${objectsFolder}${audienceId}/${objectId}`;
}

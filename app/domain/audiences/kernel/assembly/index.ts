// The kernel's calls. It is the fast way through what app/domain/audiences/members and files say in TypeScript, which is
// what it is compared with, and takes the rows that it leaves.

export { columnRoles, input, inputBytes, mostColumns } from "./memory";
export { openTable, roleEmail, rolePhone, rowsBlank, rowsTaken, scan } from "./scan";
export { finishLanes } from "./lanes";
import { beginStore } from "./store";

export { forgetAll, putHash, putSpelling, recordCount } from "./store";
export {
  sortBucket,
  sortedCount,
  sortedHashes,
  sortedSpellingCount,
  sortedSpellings,
  sortedTags,
} from "./sort";

// All files are there by now, and have their fixed places.
beginStore();

// The kernel's exports. The kernel is the fast path of app/domain/audiences/members and files; tests compare it with
// that TypeScript code, which handles the rows that the kernel leaves.

export { columnRoles, input, inputBytes, maxColumns } from "./memory";
export { consentValueBytes, learnConsent, maxConsents, optOutCounts, setConsents } from "./consent";
export { openTable, roleEmail, rolePhone, rowsBlank, rowsScanned, scan } from "./scan";
export { finishLanes } from "./lanes";
import { initStore } from "./hash-store";

export { clearStore, primaryCount, putHash, putVariant, recordCount, variantCount } from "./hash-store";
export {
  sortBucket,
  sortedCount,
  sortedHashes,
  sortedVariantCount,
  sortedCanonicalHashes,
  sortedFlags,
} from "./sort";

// All modules have made their fixed allocations by now.
initStore();

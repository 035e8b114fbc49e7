export { ledgerPlace, toLedger, toOverview } from "../../node/overview";

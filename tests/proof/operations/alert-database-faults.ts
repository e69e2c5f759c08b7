import type { AlertFault } from './alert-stack.ts'

/** Faults of the high-availability cluster. In this proof, the product itself uses another database. */
export const databaseFaults: Record<string, AlertFault> = {
  GuidonStandbyMissing: {
    cause: async ({ cluster }) => {
      for (const standby of await cluster.standbys()) standby.kill()
    },
    repair: async ({ cluster }) => {
      for (const standby of await cluster.standbys()) standby.start()
      await cluster.untilHealthy()
    },
  },
  GuidonQuorumLost: {
    cause: async ({ cluster }) => cluster.etcds[0]!.kill(),
    repair: async ({ cluster }) => cluster.etcds[0]!.start(),
  },
}

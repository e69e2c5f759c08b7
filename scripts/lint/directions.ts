/** What a feature is built from, without HTTP. */
const FOR_FEATURES = [
  'api/src/db',
  'api/src/jobs',
  'api/src/crm',
  'api/src/crm/port.ts',
  'api/src/files',
  'api/src/files/folders',
  'api/src/mail',
  'api/src/passwords',
  'api/src/platform',
  'contract',
]

/**
 * Which folder may import which. A file belongs to the first folder of this list that contains it, and may
 * import that folder and the folders named beside it. `*` stands for any one folder name, so a feature may
 * import itself but no other feature; `**` stands for everything below a folder.
 */
export const folders: Readonly<Record<string, readonly string[]>> = {
  brand: [],
  contract: [],

  'web/src/ui': ['contract'],
  'web/src/api': ['contract'],
  'web/src/features/*': ['web/src/ui', 'web/src/api', 'contract'],
  'web/src/app': ['web/src/features/*', 'web/src/ui', 'web/src/api', 'contract'],
  web: ['web/src/**', 'contract', 'brand'],

  'api/src/platform': ['contract'],
  // Everyone may import the ports for the CRM, files and mail; only main/ may import their adapters.
  'api/src/crm/port.ts': ['contract'],
  'api/src/crm/salesforce': ['api/src/crm/port.ts', 'api/src/platform', 'contract'],
  'api/src/files/box': ['api/src/files', 'api/src/platform', 'contract'],
  // It reads hostile files, so it has nothing of the API at hand.
  'api/src/checker': ['api/src/platform', 'contract'],
  'api/src/files/folders': [
    'api/src/files',
    'api/src/crm',
    'api/src/db',
    'api/src/platform',
    'contract',
  ],
  'api/src/files': ['api/src/checker', 'api/src/platform', 'contract'],
  'api/src/mail/pop3': ['api/src/mail', 'api/src/platform', 'contract'],
  'api/src/mail/smtp': ['api/src/mail', 'api/src/platform', 'contract'],
  'api/src/db': ['api/src/crm/port.ts', 'api/src/platform', 'contract'],
  'api/src/http': ['api/src/db', 'api/src/platform', 'contract'],
  'api/src/passwords': ['api/src/http', 'api/src/platform', 'contract'],
  'api/src/jobs': ['api/src/db', 'api/src/platform', 'contract'],
  'api/src/crm': [
    'api/src/crm/port.ts',
    'api/src/db',
    'api/src/jobs',
    'api/src/platform',
    'contract',
  ],
  'api/src/mail': ['api/src/db', 'api/src/jobs', 'api/src/platform', 'contract'],
  'api/src/telemetry': [
    'api/src/http',
    'api/src/jobs',
    'api/src/files',
    'api/src/mail',
    'api/src/platform',
    'contract',
  ],
  'api/src/features/feature.ts': FOR_FEATURES,
  'api/src/features/*': ['api/src/features/feature.ts', 'api/src/http', ...FOR_FEATURES],
  'api/src/main': ['api/src/**', 'contract'],
  'api/vitest.config.ts': [],
  api: ['contract'],

  // A sandbox that shared code with the API would repeat its mistakes.
  sandbox: ['contract'],
  // Helpers that use the product from outside, for everyone; the others may boot it.
  'tests/support/outside': ['sandbox', 'contract'],
  'tests/support': ['api/src/**', 'tests/support/outside', 'sandbox', 'contract'],
  // Some proofs run code of a web feature against the real server.
  'tests/proof': [
    'api/src/**',
    'api/vitest.config.ts',
    'tests/support',
    'tests/support/outside',
    'sandbox',
    'contract',
    'web/src/features/*',
  ],
  // Benchmarks and journeys use the product from outside, as processes.
  'tests/bench': ['tests/support/outside', 'sandbox', 'contract'],
  'tests/e2e': ['tests/support/outside', 'sandbox', 'contract'],
  // The command that runs the proofs reads what they report.
  scripts: ['contract', 'sandbox', 'tests/proof'],
}

/** Packages that only some folders may import, so that only an adapter depends on its vendor's package. */
export const packages: Readonly<Record<string, readonly string[]>> = {
  nodemailer: ['api/src/mail/smtp', 'sandbox'],
  '@jsforce/jsforce-node': ['api/src/crm/salesforce', 'sandbox'],
  'box-node-sdk': ['api/src/files/box', 'sandbox'],
  jose: ['api/src/crm/salesforce'],
  undici: ['api/src/crm/salesforce', 'api/src/files/box', 'sandbox'],
  sharp: ['api/src/checker', 'tests/support/files'],
  'pg-boss': ['api/src/jobs'],
  pg: ['api/src/db', 'api/src/jobs', 'tests', 'sandbox'],
  '@opentelemetry': ['api/src/telemetry'],
  '@node-rs/argon2': ['api/src/passwords', 'tests/bench'],
}

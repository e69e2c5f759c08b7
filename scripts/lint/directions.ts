/**
 * Who may import whom. The first room whose path fits a file is the file's room; what it may import is
 * itself and the rooms it lists. `*` stands for one folder name, the same on both sides of a line: so a
 * feature reaches itself and never another feature.
 */
export const rooms: readonly { room: string; mayImport: readonly string[] }[] = [
  { room: 'brand', mayImport: [] },
  { room: 'contract', mayImport: [] },

  { room: 'web/src/ui', mayImport: ['contract'] },
  { room: 'web/src/api', mayImport: ['contract'] },
  { room: 'web/src/features/*', mayImport: ['web/src/ui', 'web/src/api', 'contract'] },
  {
    room: 'web/src/app',
    mayImport: ['web/src/features', 'web/src/ui', 'web/src/api', 'contract'],
  },
  { room: 'web', mayImport: ['contract', 'brand'] },

  { room: 'api/src/crypto', mayImport: [] },
  {
    room: 'api/src/db',
    mayImport: ['api/src/crm/port.ts', 'api/src/crypto', 'api/src/threads.ts', 'contract'],
  },
  { room: 'api/src/http', mayImport: ['api/src/db', 'contract'] },
  { room: 'api/src/jobs', mayImport: ['api/src/db', 'api/src/http/log.ts', 'contract'] },
  { room: 'api/src/crm/port.ts', mayImport: ['contract'] },
  { room: 'api/src/crm/quota.ts', mayImport: ['api/src/crm/port.ts'] },
  {
    room: 'api/src/crm/salesforce',
    mayImport: ['api/src/crm/port.ts', 'api/src/http/log.ts', 'contract'],
  },
  {
    room: 'api/src/crm',
    mayImport: ['api/src/db', 'api/src/jobs', 'api/src/http/log.ts', 'contract'],
  },
  { room: 'api/src/files/port.ts', mayImport: [] },
  {
    room: 'api/src/files/box',
    mayImport: ['api/src/files/port.ts', 'api/src/http/log.ts', 'contract'],
  },
  { room: 'api/src/files/checks', mayImport: ['contract'] },
  { room: 'api/src/mail/port.ts', mayImport: ['contract'] },
  { room: 'api/src/mail/smtp', mayImport: ['api/src/mail/port.ts', 'contract'] },
  { room: 'api/src/mail/messages', mayImport: ['api/src/mail/port.ts', 'contract'] },
  {
    room: 'api/src/mail',
    mayImport: ['api/src/db', 'api/src/jobs', 'api/src/http/log.ts', 'contract'],
  },
  {
    room: 'api/src/features/*',
    mayImport: [
      'api/src/db',
      'api/src/http',
      'api/src/jobs',
      'api/src/crm/port.ts',
      'api/src/crm/outbox',
      'api/src/files/port.ts',
      'api/src/files/checks',
      'api/src/files/writable.ts',
      'api/src/crypto',
      'api/src/mail/port.ts',
      'api/src/mail/send-once.ts',
      'api/src/mail/messages',
      'contract',
    ],
  },
  {
    room: 'api/src/watch',
    mayImport: [
      'api/src/db',
      'api/src/http',
      'api/src/jobs',
      'api/src/files/port.ts',
      'api/src/files/checks',
      'api/src/mail/port.ts',
      'contract',
    ],
  },
  { room: 'api/src/value-files.ts', mayImport: [] },
  { room: 'api/src/config.ts', mayImport: ['api/src/value-files.ts', 'contract'] },
  { room: 'api/src/until-signal.ts', mayImport: ['api/src/http/log.ts'] },
  { room: 'api/test', mayImport: ['api/src', 'sandbox', 'contract'] },
  {
    room: 'api/proof',
    // The one logic of a screen that is held against the real server.
    mayImport: [
      'api/src',
      'api/test',
      'sandbox',
      'contract',
      'web/src/features/intake/draft-sync.ts',
    ],
  },
  // The processes and compose.ts, which alone names adapters.
  { room: 'api', mayImport: ['contract'] },

  // A sandbox that shared code with the API would agree with its mistakes.
  { room: 'sandbox', mayImport: ['contract'] },
  // What is measured is the product as its processes, from outside.
  { room: 'bench', mayImport: ['sandbox', 'contract'] },
  { room: 'e2e', mayImport: ['sandbox', 'contract'] },
  { room: 'scripts', mayImport: ['contract', 'sandbox'] },
]

/** Packages that only one room may name: a vendor's words stop at its adapter. */
export const packages: readonly { name: string; onlyIn: readonly string[] }[] = [
  { name: 'nodemailer', onlyIn: ['api/src/mail/smtp', 'sandbox'] },
  { name: '@jsforce/jsforce-node', onlyIn: ['api/src/crm/salesforce', 'sandbox'] },
  { name: 'box-node-sdk', onlyIn: ['api/src/files/box', 'sandbox'] },
  { name: 'jose', onlyIn: ['api/src/crm/salesforce'] },
  { name: 'undici', onlyIn: ['api/src/crm/salesforce', 'api/src/files/box', 'sandbox'] },
  { name: 'sharp', onlyIn: ['api/src/files/checks', 'api/test/files'] },
  { name: 'pg-boss', onlyIn: ['api/src/jobs'] },
  {
    name: 'pg',
    onlyIn: ['api/src/db', 'api/src/jobs', 'api/test', 'api/proof', 'bench', 'sandbox'],
  },
  { name: '@opentelemetry', onlyIn: ['api/src/watch'] },
  { name: '@node-rs/argon2', onlyIn: ['api/src/features/auth', 'bench'] },
]

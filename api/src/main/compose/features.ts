import { audit } from '../../features/audit/feature.ts'
import { auth } from '../../features/auth/feature.ts'
import { veteransCase } from '../../features/case/feature.ts'
import { consents } from '../../features/consents/feature.ts'
import { contact } from '../../features/contact/feature.ts'
import { crmAdmin } from '../../features/crm-admin/feature.ts'
import { dataProtection } from '../../features/data-protection/feature.ts'
import { documents } from '../../features/documents/feature.ts'
import { handOff } from '../../features/documents/hand-off/feature.ts'
import { viewing } from '../../features/documents/viewing/feature.ts'
import { folders } from '../../features/folders/feature.ts'
import { intake } from '../../features/intake/feature.ts'
import { linking } from '../../features/linking/feature.ts'
import { manageUsers } from '../../features/manage-users/feature.ts'
import { notices } from '../../features/notices/feature.ts'
import { queues } from '../../features/queues/feature.ts'

/** Every feature of the product. A new feature is one line here. */
export const features = [
  auth,
  linking,
  veteransCase,
  consents,
  contact,
  intake,
  documents,
  folders,
  viewing,
  handOff,
  notices,
  manageUsers,
  audit,
  crmAdmin,
  queues,
  dataProtection,
] as const

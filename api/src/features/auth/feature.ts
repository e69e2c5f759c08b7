import { feature } from '../feature.ts'
import { challenges as createChallenges } from './challenge.ts'
import { exportAccount } from './export.ts'
import { limits as createLimits } from './limits.ts'
import { openSession as createOpenSession } from './open-session.ts'
import { passwordChange } from './password-change.ts'
import { authRoutes } from './routes.ts'
import { sendCode, sendCodeWork } from './send-code.ts'
import { sendNotice, sendNoticeWork } from './send-notice.ts'
import { sendResetLink, sendResetLinkWork } from './send-reset-link.ts'
import { sessions as createSessions } from './sessions.ts'
import { signIn } from './sign-in.ts'
import { signUp } from './sign-up.ts'
import { authTables } from './tables.ts'

export const auth = feature({
  name: 'auth',
  tables: authTables,
  jobs: [sendCode, sendResetLink, sendNotice],
  serve: (app, parts) => {
    const { db, tokens, jobs, brand, calls } = parts
    const { legal } = brand
    const limits = createLimits(db, tokens, parts.addressLimitFactor)
    const sessions = createSessions(db, tokens)
    const challenges = createChallenges({ db, tokens, jobs, limits })
    const openSession = createOpenSession({ sessions, tokens, jobs, calls, legal })
    authRoutes(app, {
      signUp: signUp({ ...parts, challenges, openSession, limits, legal }),
      signIn: signIn({ ...parts, challenges, openSession, limits, phone: brand.phone }),
      challenges,
      passwordChange: passwordChange({ ...parts, limits }),
      sessions,
    })
  },
  work: (parts) => [
    sendCodeWork({ ...parts, ...parts.codes }),
    sendResetLinkWork(parts),
    sendNoticeWork(parts),
  ],
  export: exportAccount,
})

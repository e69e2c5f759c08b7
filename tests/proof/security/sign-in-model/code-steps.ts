import { login, resendVerificationCode, verifyLogin } from '@guidon/contract/auth'
import { register, verifyEmail } from '@guidon/contract/sign-up'
import { NEWCOMER } from '../../../support/boot.ts'
import { retryWhileBusy } from '../../../support/concurrency.ts'
import type { Reply, TestClient } from '../../../support/test-client.ts'
import {
  addChallenge,
  addSession,
  comparesCodes,
  isOpen,
  nextPassword,
  opensSession,
  repeatsSession,
  setCode,
} from './model.ts'
import type { Challenge, Model } from './model.ts'
import { tokensOf } from './portal.ts'
import type { Portal } from './portal.ts'
import { requireStatus, requireTrue } from './sentences.ts'
import { challengeOf, hasChallenge } from './step.ts'
import type { Step } from './step.ts'

const otherCode = (digits: string) => String((Number(digits) + 1) % 1_000_000).padStart(6, '0')

function enter(model: Model, client: TestClient, { purpose }: Challenge, code: string) {
  const body = { email: model.email, code }
  return purpose === 'login'
    ? client.call(verifyLogin, { body })
    : client.call(verifyEmail, { body })
}

/** Enters a code that must not open a session. */
async function enterInVain(model: Model, portal: Portal, browser: 0 | 1, code: string) {
  const challenge = challengeOf(model, browser)
  const client = portal.clientOf(model, browser)
  const response: Reply = await enter(model, client, challenge, code)
  if (challenge.code && comparesCodes(model, challenge)) challenge.code.tries += 1
  requireStatus(response, 400, 'a wrong code opens nothing')
}

export const codeSteps = {
  'signs up': {
    weight: 2,
    when: ({ account }) => account !== 'deactivated',
    run: async (model, portal, browser) => {
      const client = portal.clientOf(model, browser)
      const password = nextPassword(model)
      const body = { ...NEWCOMER, email: model.email, password }
      const request = async () =>
        requireStatus(await retryWhileBusy(() => client.call(register, { body })), 202)
      let code: string | undefined
      if (model.account === 'none') code = await portal.codeAfter(model, request)
      else await request()
      const token = client.cookies.get('guidon-challenge')!
      const challenge = { purpose: 'email', token, password } as const
      model.browsers[browser].challenge = addChallenge(model, challenge, code)
    },
  },

  'logs in': {
    weight: 2,
    when: ({ account }) => account !== 'none',
    run: async (model, portal, browser) => {
      const client = portal.clientOf(model, browser)
      const { email, password, account } = model
      const request = () => retryWhileBusy(() => client.call(login, { body: { email, password } }))
      if (account !== 'active') {
        requireStatus(await request(), 400, 'only an active account can log in')
        return
      }
      const code = await portal.codeAfter(model, async () => requireStatus(await request(), 204))
      const token = client.cookies.get('guidon-challenge')!
      const challenge = { purpose: 'login', token, password } as const
      model.browsers[browser].challenge = addChallenge(model, challenge, code)
    },
  },

  'logs in with a wrong password': {
    weight: 1,
    when: () => true,
    run: async (model, portal, browser) => {
      const body = { email: model.email, password: `${model.password}-` }
      const client = portal.clientOf(model, browser)
      const response = await retryWhileBusy(() => client.call(login, { body }))
      requireStatus(response, 400, 'a wrong password opens nothing')
    },
  },

  'enters the right code': {
    weight: 3,
    when: ({ browsers }, browser) => browsers[browser].challenge?.code?.lost === false,
    run: async (model, portal, browser) => {
      const challenge = challengeOf(model, browser)
      const client = portal.clientOf(model, browser)
      const opens = opensSession(model, challenge)
      const isEmailTaken = comparesCodes(model, challenge) && !opens
      const response: Reply = await enter(model, client, challenge, challenge.code!.digits)
      if (!opens) {
        const sentence = 'a code that is expired, used, void or of a taken email opens nothing'
        if (!repeatsSession(model, challenge)) requireStatus(response, 400, sentence)
        if (isEmailTaken) challenge.state = 'ended'
        return
      }
      requireStatus(response, 200, 'the right code opens a session')
      if (challenge.purpose === 'email') {
        model.account = 'active'
        model.password = challenge.password
      }
      const before = model.browsers[browser].session
      if (before) before.ended ??= 'a sign-in ends the session that its browser had'
      const session = addSession(model, challenge, tokensOf(client))
      const device = client.cookies.get('guidon-device')
      model.browsers[browser] = { device, challenge: undefined, session }
    },
  },

  'enters a wrong code': {
    weight: 2,
    when: hasChallenge,
    run: (model, portal, browser) => {
      const { code } = challengeOf(model, browser)
      return enterInVain(model, portal, browser, otherCode(code?.digits ?? '0'))
    },
  },

  'enters a superseded code': {
    weight: 2,
    when: ({ browsers }, browser) => (browsers[browser].challenge?.supersededCodes.length ?? 0) > 0,
    run: (model, portal, browser, pick) => {
      const { supersededCodes, code } = challengeOf(model, browser)
      const digits = supersededCodes[pick % supersededCodes.length]!
      // Two codes are the same once in a million.
      return enterInVain(
        model,
        portal,
        browser,
        digits === code?.digits ? otherCode(digits) : digits,
      )
    },
  },

  'enters a used code again': {
    weight: 2,
    when: ({ challenges }) => challenges.some(({ opened }) => opened),
    run: async (model, portal, _browser, pick) => {
      const used = model.challenges.filter(({ opened }) => opened)
      const challenge = used[pick % used.length]!
      const { session, code } = challenge.opened!
      const client = portal.newClient()
      client.cookies.set('guidon-challenge', challenge.token)
      const response: Reply = await enter(model, client, challenge, code)
      if (repeatsSession(model, challenge)) {
        requireStatus(response, 200)
        requireTrue(tokensOf(client).access === session.first.access, 'a code works once')
      } else {
        requireStatus(response, 400, 'a code works once')
      }
    },
  },

  'asks for another code': {
    weight: 3,
    when: hasChallenge,
    run: async (model, portal, browser) => {
      const challenge = challengeOf(model, browser)
      const { purpose, requestedAt } = challenge
      const body = { email: model.email, verificationType: purpose }
      const client = portal.clientOf(model, browser)
      const request = () => client.call(resendVerificationCode, { body })
      if (!isOpen(model, challenge)) {
        requireStatus(await request(), 400, 'an expired challenge opens nothing')
      } else if (requestedAt === model.clock) {
        requireStatus(await request(), 429, 'a code is sent once a minute')
      } else if (purpose === 'email' && model.account !== 'none') {
        requireStatus(await request(), 202)
        setCode(model, challenge, undefined)
      } else {
        const code = await portal.codeAfter(model, async () => requireStatus(await request(), 202))
        setCode(model, challenge, code)
      }
    },
  },

  'never gets the email with the code': {
    weight: 1,
    when: ({ browsers }, browser) => browsers[browser].challenge?.code?.lost === false,
    run: async (model, _portal, browser) => {
      challengeOf(model, browser).code!.lost = true
    },
  },
} satisfies Record<string, Step>

import { checkAuth, login, verifyLogin } from '@guidon/contract/auth'
import { getCaseVersion } from '@guidon/contract/case-activity'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { james as user } from '../../test/signed-in.ts'
import { CallFailure } from './call-failure.ts'
import { call } from './call.ts'
import { REFRESH_WAIT_MESSAGE } from './session-refresh.ts'
import { lastSessionSeen } from './session-seen.ts'
import { configureCalls } from './settings.ts'

const credentials = { body: { email: 'j@example.com', password: 'secret' } }

const fetchMock = vi.fn<(url: string, init: RequestInit) => Promise<Response>>()
const onSessionEnd = vi.fn<() => void>()

function jsonResponse(
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): Response {
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
}

/** Never responds, and rejects on abort, as a real fetch does. */
function hang(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

async function failureOf(promise: Promise<unknown>): Promise<CallFailure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CallFailure)
  return error as CallFailure
}

function callsTo(path: string): number {
  return fetchMock.mock.calls.filter(([url]) => url.endsWith(path)).length
}

beforeEach(() => {
  vi.stubGlobal('fetch', fetchMock)
  fetchMock.mockReset()
  onSessionEnd.mockReset()
  configureCalls({ host: '', onSessionEnd })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a call', () => {
  it('sends JSON with cookies to the path of the contract', async () => {
    fetchMock.mockResolvedValue(jsonResponse(204))
    await expect(call(login, credentials)).resolves.toBeUndefined()
    const [url, init] = fetchMock.mock.calls[0]!
    expect(url).toBe('/auth/login')
    expect(init).toMatchObject({ method: 'POST', credentials: 'include' })
    expect(JSON.parse(init.body as string)).toEqual(credentials.body)
  })

  it('goes to the API host of the brand when there is one', async () => {
    configureCalls({ host: 'https://api.test' })
    fetchMock.mockResolvedValue(jsonResponse(204))
    await call(login, credentials)
    expect(fetchMock.mock.calls[0]![0]).toBe('https://api.test/auth/login')
  })

  it("shows the server's message when present, with code, fields and retry time", async () => {
    const body = { code: 'slow_down', message: 'Please wait.', fields: { email: 'Taken' } }
    fetchMock.mockResolvedValue(jsonResponse(429, body, { 'Retry-After': '42' }))
    expect(await failureOf(call(login, credentials))).toMatchObject({
      status: 429,
      code: 'slow_down',
      message: 'Please wait.',
      fields: { email: 'Taken' },
      retryAfterSeconds: 42,
    })
  })

  it.each([
    ['without a message', () => jsonResponse(500, { code: 'unexpected' })],
    ['that is not JSON', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ])('shows the default message for a failure %s', async (_, make) => {
    fetchMock.mockResolvedValue(make())
    expect((await failureOf(call(login, credentials))).message).toBe(login.failure)
  })

  it('treats a response that does not match the contract as a failure', async () => {
    fetchMock.mockResolvedValue(jsonResponse(200, { user: { role: 'KING' } }))
    expect(await failureOf(call(checkAuth))).toMatchObject({ message: checkAuth.failure })
  })

  it('has status 0 and the default message without a network', async () => {
    fetchMock.mockRejectedValue(new TypeError('Failed to fetch'))
    expect(await failureOf(call(login, credentials))).toMatchObject({
      status: 0,
      message: login.failure,
    })
  })

  it('times out after 10 seconds, also while the body arrives slowly', async () => {
    vi.useFakeTimers()
    fetchMock.mockImplementation(async (_, { signal }) => {
      const response = jsonResponse(200)
      vi.spyOn(response, 'text').mockImplementation(() => hang(signal) as never)
      return response
    })
    const failure = failureOf(call(checkAuth))
    let settled = false
    void failure.then(() => (settled = true))
    await vi.advanceTimersByTimeAsync(9_999)
    expect(settled).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(await failure).toMatchObject({ status: 0, message: checkAuth.failure })
  })
})

describe('a call whose session is refused', () => {
  /** check-auth is refused until a refresh has succeeded. */
  function server(refresh: (signal: AbortSignal | null | undefined) => Promise<Response>): void {
    let live = false
    fetchMock.mockImplementation(async (url, { signal }) => {
      if (!url.endsWith('/auth/refresh'))
        return live ? jsonResponse(200, { user }) : jsonResponse(401)
      const response = await refresh(signal)
      live = response.ok
      return response
    })
  }

  it('refreshes once for five concurrent calls, and repeats each', async () => {
    server(async () => jsonResponse(204))
    const answers = await Promise.all(Array.from({ length: 5 }, () => call(checkAuth)))
    expect(answers).toHaveLength(5)
    expect(callsTo('/auth/refresh')).toBe(1)
    expect(callsTo('/auth/check-auth')).toBe(10)
  })

  it('is repeated without a refresh when another call refreshed the session meanwhile', async () => {
    let release = () => {}
    const late = new Promise<void>((resolve) => (release = resolve))
    server(async () => jsonResponse(204))
    const usual = fetchMock.getMockImplementation()!
    fetchMock.mockImplementationOnce(() => late.then(() => jsonResponse(401)))
    const slow = call(checkAuth)
    fetchMock.mockImplementation(usual)
    await call(checkAuth)
    release()
    await slow
    expect(callsTo('/auth/refresh')).toBe(1)
  })

  it('refreshes only once, even when the repeated call is refused', async () => {
    fetchMock.mockImplementation(async (url) => jsonResponse(url.endsWith('/refresh') ? 204 : 403))
    expect(await failureOf(call(checkAuth))).toMatchObject({ status: 403 })
    expect(callsTo('/auth/refresh')).toBe(1)
    expect(onSessionEnd).not.toHaveBeenCalled()
  })

  it.each([400, 401, 403])(
    'ends the session when the refresh is refused with %i',
    async (status) => {
      server(async () => jsonResponse(status))
      expect(await failureOf(call(checkAuth))).toMatchObject({ status: 401 })
      expect(onSessionEnd).toHaveBeenCalledOnce()
    },
  )

  it.each([
    ['a 503', async () => jsonResponse(503)],
    ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])(
    'does not end the session if the refresh fails with %s, and shows the default message',
    async (_, refresh) => {
      server(refresh)
      expect(await failureOf(call(checkAuth))).toMatchObject({
        status: 0,
        message: checkAuth.failure,
      })
      expect(onSessionEnd).not.toHaveBeenCalled()
    },
  )

  it('does not end the session when the refresh times out, and queued calls fail with their own message', async () => {
    vi.useFakeTimers()
    server(hang)
    const failures = [failureOf(call(checkAuth)), failureOf(call(checkAuth))]
    await vi.advanceTimersByTimeAsync(10_000)
    const [first, second] = await Promise.all(failures)
    expect(first!.message).toBe(checkAuth.failure)
    expect(second!.message).toBe('Request timeout while waiting for token refresh')
    expect(onSessionEnd).not.toHaveBeenCalled()
  })

  it('waits at most 10 seconds for another tab to finish its refresh', async () => {
    vi.useFakeTimers()
    const request = (_: string, { signal }: { signal: AbortSignal }) => hang(signal)
    vi.stubGlobal('navigator', { locks: { request } })
    server(async () => jsonResponse(204))
    const failure = failureOf(call(checkAuth))
    await vi.advanceTimersByTimeAsync(10_000)
    expect((await failure).message).toBe(REFRESH_WAIT_MESSAGE)
    expect(callsTo('/auth/refresh')).toBe(0)
  })

  it.each([
    ['none', () => call(login, credentials)],
    ['challenge', () => call(verifyLogin, { body: { email: 'j@example.com', code: '123456' } })],
  ])('never refreshes for an endpoint with session: %s', async (_, attempt) => {
    fetchMock.mockImplementation(async () => jsonResponse(401, { code: 'no', message: 'No.' }))
    expect(await failureOf(attempt())).toMatchObject({ status: 401, message: 'No.' })
    expect(callsTo('/auth/refresh')).toBe(0)
  })
})

describe('a call in the background', () => {
  it.each([401, 403])('is not repeated after a %i, and refreshes no session', async (status) => {
    fetchMock.mockImplementation(async () => jsonResponse(status))
    expect(await failureOf(call(getCaseVersion))).toMatchObject({ status })
    expect(fetchMock).toHaveBeenCalledOnce()
    expect(onSessionEnd).not.toHaveBeenCalled()
  })

  it('does not count as use of the session', async () => {
    vi.useFakeTimers({ now: lastSessionSeen() + 600_000 })
    const before = lastSessionSeen()
    fetchMock.mockImplementation(async () =>
      jsonResponse(200, { version: '1', hasUnfinishedUploads: false }),
    )
    await call(getCaseVersion)
    expect(lastSessionSeen()).toBe(before)
    fetchMock.mockImplementation(async () => jsonResponse(200, { user }))
    await call(checkAuth)
    expect(lastSessionSeen()).toBe(before + 600_000)
  })
})

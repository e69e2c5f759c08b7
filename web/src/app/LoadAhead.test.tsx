import { screens } from '@guidon/contract/screens'
import { render, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LATER_FILES_ELEMENT } from './later-files.ts'
import { LoadAhead } from './LoadAhead.tsx'

// Each test has its own files, because a file is fetched once.
let testCount = 0
let all: string[]
let staff: string[]

beforeEach(() => {
  testCount += 1
  all = ['a', 'b', 'c', 'd', 'e'].map((name) => `assets/${name}-${testCount}.js`)
  staff = [`assets/staff-${testCount}.js`]
  const listed = Object.assign(document.createElement('script'), {
    type: 'application/json',
    id: LATER_FILES_ELEMENT,
    textContent: JSON.stringify({ all, staff }),
  })
  document.head.append(listed)
})
afterEach(() => {
  document.getElementById(LATER_FILES_ELEMENT)?.remove()
  vi.unstubAllGlobals()
})

let fetching: { file: string; respond: (response: Response) => void; lose: () => void }[]
beforeEach(() => {
  fetching = []
  vi.stubGlobal('fetch', (url: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const lose = () => reject(new TypeError('Failed to fetch'))
    fetching.push({ file: url.slice(1), respond: resolve, lose })
    return promise
  })
})
const files = () => fetching.map(({ file }) => file)

function open(path: string) {
  return render(
    <MemoryRouter initialEntries={[path]}>
      <LoadAhead />
    </MemoryRouter>,
  )
}

it('fetches the files of later screens a few at a time, without running them', async () => {
  open(screens.signIn)
  await waitFor(() => expect(files()).toEqual(all.slice(0, 4)))
  for (const { respond } of fetching) respond(new Response('code'))
  await waitFor(() => expect(files()).toEqual(all))
  expect(document.querySelectorAll('script[src]')).toHaveLength(0)
})

it('repeats no fetch that is still running when the connection is back, and begins no other', async () => {
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run())
  open(screens.signIn)
  await waitFor(() => expect(files()).toHaveLength(4))
  dispatchEvent(new Event('online'))
  await new Promise((resolve) => setTimeout(resolve))
  expect(files()).toEqual(all.slice(0, 4))
})

it('fetches the files of staff only on their screen, and first', async () => {
  open(screens.adminDashboard)
  await waitFor(() => expect(files()).toEqual([...staff, ...all.slice(0, 3)]))
})

it.each([
  ['cannot be fetched', ({ lose }: (typeof fetching)[number]) => lose()],
  [
    'is gone',
    ({ respond }: (typeof fetching)[number]) => respond(new Response('', { status: 404 })),
  ],
])('stops at a file that %s, and tries again once the connection is back', async (_, fail) => {
  open(screens.signIn)
  await waitFor(() => expect(files()).toHaveLength(4))
  fetching.splice(0).forEach(fail)
  await new Promise((resolve) => setTimeout(resolve))
  expect(files()).toEqual([])
  dispatchEvent(new Event('online'))
  await waitFor(() => expect(files()).toEqual(all.slice(0, 4)))
})

it.each([
  ['without a connection', { onLine: false }],
  ['if the browser saves data', { onLine: true, connection: { saveData: true } }],
])('fetches nothing %s', async (_, state) => {
  vi.stubGlobal('navigator', state)
  const isIdle = new Promise((resolve) => {
    vi.stubGlobal('requestIdleCallback', (run: () => void) => resolve(run()))
  })
  open(screens.signIn)
  await Promise.race([isIdle, new Promise((resolve) => setTimeout(resolve))])
  expect(files()).toEqual([])
})

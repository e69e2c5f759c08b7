import { screens } from '@guidon/contract/screens'
import { useQueryClient } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { useEffect, type ReactNode } from 'react'
import { MemoryRouter, Route, Routes, useNavigate } from 'react-router'
import { vi } from 'vitest'
import { currentUserQuery } from '../src/api/current-user.ts'
import { Providers } from '../src/app/Providers.tsx'
import { Screens } from '../src/app/Screens.tsx'

export type Reply = () => Response | Promise<Response>

export function reply(
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): Response {
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers })
}

/** Replaces `fetch`: each path gets its reply, any other a 404. Returns the requests. */
export function stubNetwork(replies: Record<string, Reply>) {
  const requests: { path: string; body: unknown }[] = []
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    requests.push({
      path,
      body: init.body === undefined ? undefined : JSON.parse(init.body as string),
    })
    return replies[path]?.() ?? reply(404, { code: 'not_found' })
  })
  return requests
}

/** The whole app at an address; Back leads to the addresses before it. */
export function renderApp(path: string, ...earlier: string[]) {
  return render(
    <Providers>
      <MemoryRouter initialEntries={[...earlier, path]}>
        <Screens />
        <BackButton />
      </MemoryRouter>
      <EndUploads />
    </Providers>,
  )
}

/** Stands for the Back button of the browser. */
function BackButton() {
  const navigate = useNavigate()
  return (
    <button hidden data-testid="back" onClick={() => void navigate(-1)}>
      Back
    </button>
  )
}

/** Uploads continue without a screen. They end with the test, or they would send requests to the next one. */
function EndUploads() {
  const client = useQueryClient()
  useEffect(
    () => () => {
      client.setQueryData(currentUserQuery.queryKey, {} as never)
      client.clear()
    },
    [client],
  )
  return null
}

/** One screen alone; every other path shows only its name. */
export function renderScreen(path: string, element: ReactNode) {
  const others = Object.values(screens).filter((other) => other !== path)
  return render(
    <Providers>
      <MemoryRouter initialEntries={[path]}>
        <Routes>
          <Route path={path} element={element} />
          {others.map((other) => (
            <Route key={other} path={other} element={<p>At {other}</p>} />
          ))}
        </Routes>
      </MemoryRouter>
      <EndUploads />
    </Providers>,
  )
}

import { BrowserRouter } from 'react-router'
import { LoadAhead } from './LoadAhead.tsx'
import { Providers } from './Providers.tsx'
import { codeOf, Screens } from './Screens.tsx'

// Before the first render and the check of the session, so that the browser fetches it meanwhile.
for (const load of codeOf(location.pathname)) load().catch(() => {})

export function App() {
  return (
    <Providers>
      <BrowserRouter>
        <Screens />
        <LoadAhead />
      </BrowserRouter>
    </Providers>
  )
}

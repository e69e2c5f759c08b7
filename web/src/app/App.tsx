import { BrowserRouter } from 'react-router'
import { LoadAhead } from './LoadAhead.tsx'
import { Providers } from './Providers.tsx'
import { Screens } from './Screens.tsx'

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

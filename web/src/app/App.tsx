import { BrowserRouter } from 'react-router'
import { Providers } from './Providers.tsx'
import { Screens } from './Screens.tsx'

export function App() {
  return (
    <Providers>
      <BrowserRouter>
        <Screens />
      </BrowserRouter>
    </Providers>
  )
}

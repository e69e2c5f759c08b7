import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { theme } from '../ui/theme.ts'
import { createQueryClient } from './query-client.ts'

// Scripts read a nonce only from the property: browsers blank the attribute.
const nonce = document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce
const styles = createCache({ key: 'gd', prepend: true, ...(nonce && { nonce }) })

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <CacheProvider value={styles}>
      <QueryClientProvider client={queryClient}>
        <ThemeProvider theme={theme} storageManager={null}>
          <CssBaseline />
          {children}
        </ThemeProvider>
      </QueryClientProvider>
    </CacheProvider>
  )
}

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { configureCalls } from './api/settings.ts'
import { App } from './app/App.tsx'
import { brand } from './ui/brand.ts'
import './ui/base.css'

// Zod would try `eval`, which the content security policy forbids and reports.
z.config({ jitless: true })
configureCalls({ host: brand.apiHost?.replace(/\/$/, '') ?? '' })

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

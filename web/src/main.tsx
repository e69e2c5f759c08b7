import './ui/base.css'
import 'virtual:palette.css'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { configureCalls } from './api/settings.ts'
import { brand } from './ui/brand.ts'

// Zod would try `eval`, which the content security policy forbids and reports.
z.config({ jitless: true })
configureCalls({ host: brand.apiHost?.replace(/\/$/, '') ?? '' })

async function start(): Promise<void> {
  // In a later task than React, because one long task would block the page of an old phone.
  const { App } = await import('./app/App.tsx')
  const root = createRoot(document.getElementById('root')!)
  // As a transition, React renders in short tasks.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}

// Not awaited here: the app imports parts of this file's chunk, which would wait for each other.
void start()

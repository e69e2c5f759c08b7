import { screens } from '@guidon/contract/screens'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderScreen } from '../../../test/test-app.tsx'
import { ForgotPasswordSentPage } from './ForgotPasswordSentPage.tsx'
import { readResetEmail, storeResetEmail } from './reset-email.ts'

function open() {
  return renderScreen(screens.forgotPasswordSent, <ForgotPasswordSentPage />)
}

it('says that a link was sent to the masked email, and to check the spam folder', () => {
  storeResetEmail('james@example.com')
  open()
  expect(screen.getByRole('heading', { level: 1, name: 'Email Sent' })).toBeVisible()
  expect(screen.getByRole('main')).toHaveTextContent('We sent a reset link to jam**@example.com.')
  expect(screen.getByRole('main')).toHaveTextContent('Check your spam folder too.')
  expect(document.body).not.toHaveTextContent('james@example.com')
  expect(document.title).toBe('Email Sent – Guidon')
})

it('works without a stored email', () => {
  open()
  expect(screen.getByRole('main')).toHaveTextContent('We sent a reset link to your email.')
  const back = screen.getByRole('link', { name: 'Back to sign in' })
  expect(back).toHaveAttribute('href', screens.signIn)
})

it('keeps the email for this screen only', () => {
  storeResetEmail('james@example.com')
  const page = open()
  page.unmount()
  expect(readResetEmail()).toBeUndefined()
})

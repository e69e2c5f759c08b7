import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { forbidden } from './plugin.ts'

describe('the direction of imports', () => {
  it.each([
    ['web/src/features/auth/SignInPage.tsx', '../../ui/Header.tsx'],
    ['web/src/features/auth/SignInPage.tsx', './CodeBoxes.tsx'],
    ['web/src/features/auth/deeper/x.ts', '../storage.ts'],
    ['web/src/app/App.tsx', '../features/auth/SignInPage.tsx'],
    ['web/src/ui/Header.tsx', '@guidon/contract/brand'],
    ['web/src/ui/Header.tsx', '@mui/material/Link'],
    ['api/src/features/auth/sign-in.ts', '../../mail/port.ts'],
    ['api/src/features/auth/routes.test.ts', '@guidon/tests/boot'],
    ['api/src/main/compose/compose.ts', '../mail/smtp/smtp-mail.ts'],
    ['api/src/features/auth/feature.ts', '../feature.ts'],
    ['api/src/files/box/box-files.ts', '../port.ts'],
    ['tests/e2e/sign-in.spec.ts', '@guidon/sandbox/stack/stack'],
    ['tests/bench/table.ts', '../support/outside/statistics.ts'],
    ['tests/support/boot.ts', './outside/account.ts'],
  ])('%s may import %s', (file, specifier) => {
    expect(forbidden(file, specifier)).toBeUndefined()
  })

  it.each([
    ['contract/src/auth.ts', '../../api/src/main/config/config.ts'],
    ['contract/src/auth.ts', '@guidon/sandbox/postgres'],
    ['web/src/ui/Header.tsx', '../features/auth/SignInPage.tsx'],
    ['web/src/ui/Header.tsx', '../api/call.ts'],
    ['web/src/api/call.ts', '../app/App.tsx'],
    ['web/src/features/auth/SignInPage.tsx', '../home/HomePage.tsx'],
    ['web/src/features/auth/SignInPage.tsx', '../../app/App.tsx'],
    ['web/src/features/auth/SignInPage.tsx', '../../../../api/src/main/config/config.ts'],
    ['api/src/features/auth/sign-in.ts', '../manage-users/accounts.ts'],
    ['api/src/features/auth/sign-in.ts', '../../mail/smtp/smtp-mail.ts'],
    ['api/src/features/auth/sign-in.ts', '../../main/compose/compose.ts'],
    ['api/src/features/auth/sign-in.ts', '../../main/config/config.ts'],
    ['api/src/features/auth/sign-in.ts', 'nodemailer'],
    ['api/src/features/auth/sign-in.ts', 'pg-boss'],
    ['api/src/http/bind.ts', '../features/auth/sessions.ts'],
    ['api/src/main/serve.ts', '../../../web/src/main.tsx'],
    ['api/src/files/port.ts', './box/box-files.ts'],
    ['api/src/features/auth/feature.ts', '../documents/feature.ts'],
    ['api/src/platform/log.ts', '../http/bind.ts'],
    ['sandbox/src/mailbox/main.ts', '../../../api/src/main/config/config.ts'],
    ['web/src/main.tsx', '@guidon/api/config'],
    ['api/src/main/compose/compose.ts', '@guidon/tests/boot'],
    ['tests/bench/table.ts', '../../api/src/main/config/config.ts'],
    ['tests/bench/table.ts', '../support/boot.ts'],
    ['tests/e2e/sign-in.spec.ts', '../support/test-client.ts'],
    ['tests/support/outside/account.ts', '../boot.ts'],
  ])('%s may not import %s', (file, specifier) => {
    expect(forbidden(file, specifier)).toBeTruthy()
  })

  it('fails the lint on a forbidden import, and only on that', () => {
    const root = resolve(import.meta.dirname, '../..')
    const project = mkdtempSync(join(tmpdir(), 'guidon-lint-'))
    const lint = (line: string) => {
      writeFileSync(join(project, 'web/src/ui/header.ts'), line)
      const config = join(root, '.oxlintrc.json')
      return spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-c', config, project], {
        encoding: 'utf8',
      })
    }
    try {
      writeFileSync(join(project, 'package-lock.json'), '{}')
      mkdirSync(join(project, 'web/src/ui'), { recursive: true })
      expect(lint("export { theme } from './theme.ts'\n")).toMatchObject({ status: 0 })
      const refused = lint("export { signIn } from '../features/auth/sign-in.ts'\n")
      expect(refused.status).not.toBe(0)
      expect(refused.stdout).toContain('web/src/ui may not import web/src/features/auth/sign-in.ts')
    } finally {
      rmSync(project, { recursive: true })
    }
  })
})

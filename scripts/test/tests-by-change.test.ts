import { describe, expect, it } from 'vitest'
import { testsByChange } from './tests-by-change.ts'

/** A small repository with two features, `contact` and `ratings`, in the API and on the web. */
const TREE: Readonly<Record<string, string>> = {
  'package.json': '',
  'vitest.config.ts': '',
  'api/vitest.config.ts': `globalSetup: '../tests/support/cluster.ts'`,
  'contract/vitest.config.ts': '',
  'web/vitest.config.ts': `setupFiles: ['src/test-setup.ts']`,
  'docs/operate/admin.md': '',

  'contract/src/text.ts': '',
  'contract/src/text.test.ts': `import { text } from './text.ts'`,
  'contract/src/contact.ts': `import { text } from './text.ts'`,
  'contract/src/ratings.ts': `import { text } from './text.ts'`,
  'contract/src/endpoints.ts': `import * as contact from './contact.ts'
    import * as ratings from './ratings.ts'`,

  'api/migrations/0001_accounts.sql': '',
  'api/src/db/migrate.ts': `resolve(import.meta.dirname, '../../migrations')`,
  'api/src/db/case-rules.ts': '',
  'api/src/db/threads.ts': `new Worker(new URL('./thread.ts', import.meta.url))`,
  'api/src/db/thread.ts': '',
  'api/src/db/threads.test.ts': `import { threads } from './threads.ts'`,
  'api/src/crm/adapter.ts': `import { contact } from '@guidon/contract/contact'`,
  'api/src/crm/adapter.test.ts': `import { adapter } from './adapter.ts'`,
  'api/src/features/contact/contact.ts': `import type { Todo } from '../../db/case-rules.ts'
    import { method } from '@guidon/contract/contact'`,
  'api/src/features/contact/feature.ts': `import { contact } from './contact.ts'`,
  'api/src/features/contact/routes.test.ts': `import { boot } from '@guidon/tests/boot'`,
  'api/src/features/ratings/feature.ts': `import { rules } from '../../db/case-rules.ts'
    import { stars } from '@guidon/contract/ratings'`,
  'api/src/features/ratings/feature.test.ts': `import { boot } from '@guidon/tests/boot'`,
  'api/src/main/features.ts': `import { contact } from '../features/contact/feature.ts'
    import { ratings } from '../features/ratings/feature.ts'`,
  'api/src/main/features.test.ts': `import { features } from './features.ts'
    join(root, 'docs/operate/admin.md')`,
  'api/src/main/compose.ts': `import { features } from './features.ts'
    import { adapter } from '../crm/adapter.ts'
    import { migrate } from '../db/migrate.ts'`,
  'api/src/main/compose.test.ts': `import { boot } from '@guidon/tests/boot'`,
  'tests/support/boot.ts': `import { compose } from '../../api/src/main/compose.ts'
    import { contact } from '../../api/src/features/contact/contact.ts'`,
  'tests/support/cluster.ts': '',
  'tests/proof/load/flood.test.ts': `import { boot } from '@guidon/tests/boot'`,

  'web/src/test-setup.ts': '',
  'web/src/features/contact/Contact.tsx': `import { contact } from '@guidon/contract/contact'
    import './Contact.module.css'`,
  'web/src/features/contact/Contact.module.css': '',
  'web/src/features/contact/Contact.test.tsx': `import { Contact } from './Contact.tsx'`,
  'web/src/features/ratings/Stars.tsx': `import { Field } from '../../ui/Field.tsx'`,
  'web/src/features/ratings/Stars.test.tsx': `import { Stars } from './Stars.tsx'`,
  'web/src/ui/Field.tsx': '',
  'web/src/app/Home.tsx': `import { Contact } from '../features/contact/Contact.tsx'`,
  'web/src/app/Home.test.tsx': `import { Home } from './Home.tsx'`,
  'web/src/app/features.ts': `async () => (await import('./Home.tsx')).Home
    async () => (await import('../features/ratings/Stars.tsx')).Stars`,
  'web/src/app/features.test.ts': `import { features } from './features.ts'`,
}

const files = Object.keys(TREE)
const testsOf = testsByChange({ files, read: (file) => TREE[file]! })
const allOf = (project: string) =>
  files.filter((file) => file.startsWith(project) && file.includes('.test.'))

describe('a change of a feature', () => {
  it('of the API selects the tests of its folder and those of the list of features', () => {
    expect(testsOf('api/src/features/contact/contact.ts')).toEqual([
      'api/src/features/contact/routes.test.ts',
      'api/src/main/features.test.ts',
    ])
  })

  it('of the web selects its tests and those of what the app builds from it', () => {
    expect(testsOf('web/src/features/contact/Contact.module.css')).toEqual([
      'web/src/features/contact/Contact.test.tsx',
      'web/src/app/Home.test.tsx',
    ])
    expect(testsOf('web/src/features/ratings/Stars.tsx')).toEqual([
      'web/src/features/ratings/Stars.test.tsx',
      'web/src/app/features.test.ts',
    ])
  })

  it('selects the tests of its folder if a file is deleted', () => {
    expect(testsOf('api/src/features/ratings/deleted.ts')).toEqual([
      'api/src/features/ratings/feature.test.ts',
    ])
  })
})

describe('a change of the contract', () => {
  it('selects the features on both sides and the tests of shared code that use the subject', () => {
    expect(testsOf('contract/src/contact.ts')).toEqual([
      'api/src/crm/adapter.test.ts',
      'api/src/features/contact/routes.test.ts',
      'api/src/main/features.test.ts',
      'web/src/features/contact/Contact.test.tsx',
      'web/src/app/Home.test.tsx',
    ])
  })

  it('selects all features if all subjects use the file', () => {
    const tests = testsOf('contract/src/text.ts')
    expect(tests).toContain('contract/src/text.test.ts')
    expect(tests).toEqual(expect.arrayContaining(allOf('api/src/features')))
  })
})

describe('a change of shared code', () => {
  it('selects the features that use more than its types', () => {
    expect(testsOf('api/src/db/case-rules.ts')).toEqual([
      'api/src/features/ratings/feature.test.ts',
      'api/src/main/features.test.ts',
    ])
  })

  it('selects the tests of code that starts the file as a thread', () => {
    expect(testsOf('api/src/db/thread.ts')).toEqual(['api/src/db/threads.test.ts'])
  })

  it.each(['api/migrations/0001_accounts.sql', 'api/src/crm/adapter.ts'])(
    'selects every test that starts the app if the app uses it: %s',
    (file) => {
      expect(testsOf(file)).toEqual(
        expect.arrayContaining([
          'api/src/features/contact/routes.test.ts',
          'api/src/features/ratings/feature.test.ts',
          'api/src/main/compose.test.ts',
        ]),
      )
    },
  )

  it.each([
    ['tests/support/cluster.ts', 'api'],
    ['api/vitest.config.ts', 'api'],
    ['web/src/test-setup.ts', 'web'],
  ])('selects the whole project if it is part of its configuration: %s', (file, project) => {
    expect(testsOf(file)).toEqual(allOf(project))
  })

  it('selects everything but the proofs if it is a package', () => {
    expect(testsOf('package.json')).toEqual(allOf('').filter((file) => !file.startsWith('tests/')))
  })
})

it('selects the tests that read a page by its path', () => {
  expect(testsOf('docs/operate/admin.md')).toEqual(['api/src/main/features.test.ts'])
})

it('selects a test that is changed itself, unless it is a proof', () => {
  expect(testsOf('api/src/crm/adapter.test.ts')).toEqual(['api/src/crm/adapter.test.ts'])
  expect(testsOf('tests/proof/load/flood.test.ts')).toEqual([])
})

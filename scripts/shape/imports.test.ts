import { expect, it } from 'vitest'
import { circlesIn, importsOf, runningUp } from './imports.ts'

const tree = (texts: Record<string, string>) =>
  importsOf(Object.keys(texts), (file) => texts[file]!)

it('finds imports of files beside and of other packages, types included', () => {
  const imports = tree({
    'api/src/a.ts': `import type { B } from './b.ts'\nimport { c } from '@guidon/contract/c'`,
    'api/src/b.ts': `import pg from 'pg'`,
    'contract/src/c.ts': '',
  })
  expect(imports).toEqual([
    { from: 'api/src/a.ts', to: 'api/src/b.ts' },
    { from: 'api/src/a.ts', to: 'contract/src/c.ts' },
  ])
})

it('finds files that import each other in a circle', () => {
  const imports = tree({
    'a.ts': `import './b.ts'`,
    'b.ts': `import './c.ts'`,
    'c.ts': `import './a.ts'`,
    'd.ts': `import './a.ts'`,
  })
  expect(circlesIn(imports).map((circle) => circle.toSorted())).toEqual([['a.ts', 'b.ts', 'c.ts']])
})

it('finds the rarer direction between two folders', () => {
  const imports = tree({
    'up/a.ts': `import '../down/a.ts'\nimport '../down/b.ts'`,
    'down/a.ts': `import '../up/b.ts'`,
    'down/b.ts': '',
    'up/b.ts': '',
  })
  expect(runningUp(imports, (file) => file.split('/')[0]!)).toEqual([
    { from: 'down/a.ts', to: 'up/b.ts' },
  ])
})

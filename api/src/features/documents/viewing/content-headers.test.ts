import { expect, it } from 'vitest'
import { contentHeaders } from './content-headers.ts'

const dispositionOf = (name: string) =>
  contentHeaders({ name, kind: 'pdf', size: 1, as: 'download' })['content-disposition']

it.each([
  ['a quote and a backslash', 'a"b\\c.pdf', `filename="a_bc.pdf"; filename*=UTF-8''a%22bc.pdf`],
  [
    'line breaks and a NUL',
    'a\r\nSet-Cookie: b\0.pdf',
    `filename="aSet-Cookie: b.pdf"; filename*=UTF-8''aSet-Cookie%3A%20b.pdf`,
  ],
  [
    'accents',
    'Müller 100%.pdf',
    `filename="M_ller 100_.pdf"; filename*=UTF-8''M%C3%BCller%20100%25.pdf`,
  ],
  [
    'a right-to-left override',
    'exe.\u202efdp.pdf',
    `filename="exe.fdp.pdf"; filename*=UTF-8''exe.fdp.pdf`,
  ],
  [
    'characters of the syntax',
    "it's (1)*.pdf",
    `filename="it's (1)*.pdf"; filename*=UTF-8''it%27s%20%281%29%2A.pdf`,
  ],
  ['half of a character', 'a\ud83d.pdf', `filename="a.pdf"; filename*=UTF-8''a.pdf`],
  ['no characters', '', `filename="document.pdf"; filename*=UTF-8''document.pdf`],
])('a name with %s is safe in the header', (_, name, names) => {
  expect(dispositionOf(name)).toBe(`attachment; ${names}`)
})

it('a name of 64 kB is shortened', () => {
  expect(dispositionOf(`${'\u{1f600}'.repeat(16_000)}.pdf`)?.length).toBeLessThan(1_500)
})

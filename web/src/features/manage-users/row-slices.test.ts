import { listUsers, type ManagedUser } from '@guidon/contract/manage-users'
import { expect, it } from 'vitest'
import { rowSlices } from './row-slices.ts'
import { manyUsers, sampleUser } from './sample-users.ts'

async function* inChunks(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

async function slices(text: string, chunk: number, characters: number): Promise<string[]> {
  const parts: string[] = []
  for await (const part of rowSlices(inChunks(text, chunk), characters)) parts.push(part)
  return parts
}

const listingText = (users: readonly ManagedUser[]) =>
  JSON.stringify({ users, total: users.length, next: null })

const usersIn = (parts: readonly string[]) =>
  parts.flatMap((text) => listUsers.response.parse(JSON.parse(text)).users)

const HOSTILE = ['},{', '},{"id":"x"', '[{', '}],"total":9', '\\"},{\\"id\\":\\"', '😀}']

it.each([1, 7, 100, 10_000])(
  'cuts between accounts, with chunks of %i characters',
  async (chunk) => {
    const users = [
      ...manyUsers(40),
      ...HOSTILE.map((name) => sampleUser({ firstName: name, lastName: name, email: name })),
      ...manyUsers(3),
    ]
    const parts = await slices(listingText(users), chunk, 600)
    expect(usersIn(parts)).toEqual(users)
    // A chunk is cut at most once, so large chunks give few slices.
    expect(parts.length > 10).toBe(chunk < 1000)
  },
)

it('does not cut a short response, an empty one, or one without a boundary between accounts', async () => {
  for (const text of [
    listingText([]),
    listingText(manyUsers(1)),
    '{"users":[' + '1,'.repeat(5000),
  ]) {
    expect(await slices(text, 50, 100)).toEqual([text])
  }
})

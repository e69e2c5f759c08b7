import type { ManagedUser } from '@guidon/contract/manage-users'

export function sampleUser(values: Partial<ManagedUser> = {}): ManagedUser {
  return {
    id: values.email ?? 'maria',
    email: 'maria.alvarez@example.com',
    firstName: 'Maria',
    lastName: 'Alvarez',
    role: 'USER',
    isActive: true,
    phone: '6195550134',
    salesforceId: null,
    boxFolderId: null,
    createdAt: '2026-11-12T09:30:00.000Z',
    ...values,
  }
}

const FIRST = ['James', 'Maria', 'Robert', 'Linda', 'Ramón', 'Keisha', 'Tom', 'Dana', 'Peter']
const DAY_MS = 86_400_000

/** Newest first, as the server lists them; the same in every run. */
export function manyUsers(count: number): ManagedUser[] {
  return Array.from({ length: count }, (_, at) => {
    const mixed = (at * 7919) % 100_003
    const firstName = FIRST[mixed % FIRST.length]!
    const lastName = `Name${(mixed % 4000).toString(36)}`
    return sampleUser({
      id: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
      email: `${firstName}.${lastName}.${mixed}@example.com`.toLowerCase(),
      firstName,
      lastName,
      role: mixed % 50 === 0 ? 'STAFF' : 'USER',
      salesforceId: mixed % 3 ? `0035e00001${mixed.toString(36).padStart(5, '0')}` : null,
      boxFolderId: mixed % 3 ? String(281_190_000_000 + mixed) : null,
      createdAt: new Date(Date.UTC(2026, 10, 12) - (at * DAY_MS) / 300).toISOString(),
    })
  })
}

import type { Comparison, LinkDetails, LinkToConfirm, Sides } from '@guidon/contract/links'

const compared: Comparison[] = [
  { field: 'lastName', account: 'Santiago', contact: 'Santiago', same: true },
  { field: 'firstName', account: 'Robert', contact: 'Roberto', same: false },
  { field: 'email', account: 'robert@example.com', contact: 'r62@example.com', same: false },
  { field: 'phone', account: '4075550105', contact: '(407) 555-0199', same: false },
  { field: 'state', account: 'Florida', contact: 'FL', same: true },
  { field: 'boxFolder', account: '281190440995', contact: null, same: false },
]

export function sampleSides(values: Partial<Sides> = {}): Sides {
  return {
    account: {
      id: 'robert',
      name: 'Robert Santiago',
      emailVerifiedAt: '2026-11-15T12:00:00.000Z',
      contactId: '0035e00001OldAA1',
    },
    contact: { id: '0035e00001NewAA1', name: 'Roberto Santiago', phone: '(407) 555-0199' },
    compared,
    otherAccount: null,
    obstacle: null,
    ...values,
  }
}

export function sampleLink(values: Partial<LinkDetails> = {}): LinkDetails {
  return {
    ...sampleSides(),
    id: 'l1',
    question: 'differs',
    askedAt: '2026-11-18T20:40:00.000Z',
    isLive: false,
    fromContactId: null,
    heldRecords: 0,
    ...values,
  }
}

export function listedLink(values: Partial<LinkToConfirm> = {}): LinkToConfirm {
  return {
    id: 'l1',
    accountName: 'Robert Santiago',
    accountEmail: 'robert@example.com',
    contactName: 'Roberto Santiago',
    contactId: '0035e00001NewAA1',
    question: 'differs',
    askedAt: '2026-11-18T20:40:00.000Z',
    ...values,
  }
}

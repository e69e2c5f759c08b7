import { EventEmitter } from 'node:events'
import { waitUntil } from '../long-poll.ts'

/** Enough for the longest proofs. */
const MAX_MESSAGES = 20_000

export interface Message {
  /** A number that increases with each message. */
  id: string
  receivedAt: string
  messageId: string | undefined
  from: string
  /** The sender of the SMTP envelope. */
  returnPath: string
  /** The recipients of the SMTP envelope. */
  to: string[]
  subject: string
  text: string
  html: string | undefined
  headers: Record<string, string>
}

interface Filter {
  to?: string | undefined
  subject?: string | undefined
  /** A message's id, or a time in ISO 8601. */
  after?: string | undefined
}

/** The messages in memory, newest last. */
export class MessageStore {
  #messages: Message[] = []
  #nextId = 1
  readonly #added = new EventEmitter().setMaxListeners(0)

  add(message: Omit<Message, 'id' | 'receivedAt'>): Message {
    const stored = { id: String(this.#nextId), receivedAt: new Date().toISOString(), ...message }
    this.#nextId += 1
    this.#messages.push(stored)
    if (this.#messages.length > MAX_MESSAGES) this.#messages.shift()
    this.#added.emit('message')
    return stored
  }

  get(id: string): Message | undefined {
    return this.#messages.find((message) => message.id === id)
  }

  /** Newest first. */
  find(filter: Filter): Message[] {
    return this.#messages.filter((message) => matches(message, filter)).toReversed()
  }

  /** Returns the matching messages as soon as there is one, or none when `signal` aborts. */
  async waitFor(filter: Filter, signal: AbortSignal): Promise<Message[]> {
    let found = this.find(filter)
    await waitUntil(this.#added, 'message', signal, () => {
      const newest = this.#messages.at(-1)
      // With thousands of messages and many waiting requests, looking through all of them again would take too long.
      if (found.length === 0 && newest && matches(newest, filter)) found = [newest]
      return found.length > 0
    })
    return found
  }

  clear(): void {
    this.#messages = []
  }
}

function matches(message: Message, { to, subject, after }: Filter): boolean {
  if (to !== undefined && !message.to.some((address) => isSameAddress(address, to))) return false
  if (subject !== undefined && !message.subject.toLowerCase().includes(subject.toLowerCase())) {
    return false
  }
  return after === undefined || isAfter(message, after)
}

function isAfter(message: Message, after: string): boolean {
  if (/^\d+$/.test(after)) return Number(message.id) > Number(after)
  // Includes that millisecond: the test took the time before it sent the message.
  return Date.parse(message.receivedAt) >= Date.parse(after)
}

function isSameAddress(one: string, other: string): boolean {
  return one.toLowerCase() === other.trim().toLowerCase()
}

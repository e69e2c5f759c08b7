import { EventEmitter } from 'node:events'

const NEWEST_KEPT = 5_000

export interface Message {
  /** Counts up: a later message has a greater number. */
  id: string
  receivedAt: string
  messageId: string | undefined
  from: string
  /** Whom the envelope named, which is who would really get it. */
  to: string[]
  subject: string
  text: string
  html: string | undefined
  headers: Record<string, string>
}

export interface Wanted {
  to?: string | undefined
  subject?: string | undefined
  /** A message's id, or a time in ISO 8601. */
  after?: string | undefined
}

/** The messages in memory, newest last. */
export class MessageStore {
  #messages: Message[] = []
  #nextId = 1
  readonly #arrivals = new EventEmitter().setMaxListeners(0)

  add(message: Omit<Message, 'id' | 'receivedAt'>): Message {
    const stored = { id: String(this.#nextId), receivedAt: new Date().toISOString(), ...message }
    this.#nextId += 1
    this.#messages.push(stored)
    if (this.#messages.length > NEWEST_KEPT) this.#messages.shift()
    this.#arrivals.emit('message')
    return stored
  }

  get(id: string): Message | undefined {
    return this.#messages.find((message) => message.id === id)
  }

  /** Newest first. */
  find(wanted: Wanted): Message[] {
    return this.#messages.filter((message) => matches(message, wanted)).toReversed()
  }

  /** Answers as soon as there is one, or with none when `signal` says to wait no longer. */
  async waitFor(wanted: Wanted, signal: AbortSignal): Promise<Message[]> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.find(wanted)
        if (found.length === 0 && !signal.aborted) return
        this.#arrivals.off('message', look)
        signal.removeEventListener('abort', look)
        resolve(found)
      }
      this.#arrivals.on('message', look)
      signal.addEventListener('abort', look)
      look()
    })
  }

  clear(): void {
    this.#messages = []
  }
}

function matches(message: Message, { to, subject, after }: Wanted): boolean {
  if (to !== undefined && !message.to.some((address) => same(address, to))) return false
  if (subject !== undefined && !message.subject.toLowerCase().includes(subject.toLowerCase())) {
    return false
  }
  return after === undefined || isAfter(message, after)
}

function isAfter(message: Message, after: string): boolean {
  if (/^\d+$/.test(after)) return Number(message.id) > Number(after)
  // At that very millisecond counts: whoever noted the time did so before acting.
  return Date.parse(message.receivedAt) >= Date.parse(after)
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.trim().toLowerCase()
}

/** A message ready to be sent, in both of its forms. */
export interface Letter {
  subject: string
  html: string
  text: string
}

export interface Mail {
  /** Resolves once the relay has taken the letter. A repeat with the same id bears the same Message-ID. */
  send(to: string, letter: Letter, id: string): Promise<void>
}

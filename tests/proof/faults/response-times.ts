const UNAUTHORIZED = 401

/** Sends requests and keeps the status and the duration of each response. */
export function responseTimes() {
  const responses: { status: number; ms: number }[] = []
  return {
    async timed<Reply extends { status: number }>(send: () => Promise<Reply>): Promise<Reply> {
      const started = performance.now()
      const reply = await send()
      responses.push({ status: reply.status, ms: performance.now() - started })
      return reply
    },
    count: () => responses.length,
    slowestMs: () => Math.max(...responses.map(({ ms }) => ms)),
    /** Responses to a client whose session has ended. */
    signOuts: () => responses.filter(({ status }) => status === UNAUTHORIZED).length,
  }
}

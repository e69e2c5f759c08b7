import { REQUEST_TIMEOUT_SECONDS } from '@guidon/contract/limits'
import { LISTING_MAX, listUsers, type ManagedUser } from '@guidon/contract/manage-users'
import { CallFailure } from '../../api/call-failure.ts'
import { withSessionRefresh } from '../../api/call.ts'
import { addressOf, readResponse, TIMED_OUT } from '../../api/send.ts'
import { searchTextOf, listingOf, type Listing } from './listing.ts'
import { rowSlices } from './row-slices.ts'
import { DEFAULT_VIEW } from './view.ts'

/** Fetches every account. Like `call`, but it parses the response in slices while it arrives, so that the screen does not freeze. */
export async function requestListing(signal: AbortSignal): Promise<Listing> {
  return (await withSessionRefresh(listUsers, () => exchange(signal))) as Listing
}

async function exchange(signal: AbortSignal): Promise<Listing> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_SECONDS * 1000)
  const { sortBy, order } = DEFAULT_VIEW
  const address = addressOf(listUsers, { query: { sortBy, order, limit: LISTING_MAX } })
  try {
    const response = await fetch(address, {
      method: listUsers.method,
      credentials: 'include',
      headers: { Accept: 'application/json' },
      signal: AbortSignal.any([signal, timeout]),
    })
    return await read(response)
  } catch (error) {
    if (signal.aborted || error instanceof CallFailure) throw error
    const code = timeout.aborted ? TIMED_OUT : 'no_network'
    throw new CallFailure({ status: 0, code, message: listUsers.failure })
  }
}

async function read(response: Response): Promise<Listing> {
  const { status, headers } = response
  const retryAfter = headers.get('Retry-After')
  const usersIn = (text: string) =>
    (readResponse(listUsers, { status, text, retryAfter }) as { users: ManagedUser[] }).users
  if (!response.ok || response.body === null) return listingOf(usersIn(await response.text()))

  const users: ManagedUser[] = []
  const searchTexts: string[] = []
  for await (const slice of rowSlices(texts(response.body))) {
    for (const user of usersIn(slice)) {
      users.push(user)
      searchTexts.push(searchTextOf(user))
    }
    await yieldToBrowser()
  }
  return listingOf(users, searchTexts)
}

/** Not every browser can iterate over a stream. */
async function* texts(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
}

/** Lets the browser handle input in between. */
function yieldToBrowser(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

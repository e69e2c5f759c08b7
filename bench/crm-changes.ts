import { SANDBOX_CLIENT } from '@guidon/sandbox/salesforce/rest/sessions'

/** As many as one call may carry. */
const BATCH = 200

/** Gives every one of these rows the same new value, as a tool of the provider's staff would. */
export async function changeRows(
  url: string,
  type: string,
  ids: readonly string[],
  field: string,
  value: string,
): Promise<void> {
  const token = await tokenOf(url)
  for (let from = 0; from < ids.length; from += BATCH) {
    const batch = ids.slice(from, from + BATCH)
    const records = batch.map((id) => ({ attributes: { type }, id, [field]: value }))
    const answer = await fetch(`${url}/services/data/v64.0/composite/sobjects`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ allOrNone: true, records }),
    })
    const outcomes = (await answer.json()) as { success: boolean }[]
    if (!answer.ok || outcomes.some(({ success }) => !success)) {
      throw new Error(`the CRM refused to change ${type}: ${answer.status}`)
    }
  }
}

async function tokenOf(url: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: SANDBOX_CLIENT.id,
    client_secret: SANDBOX_CLIENT.secret,
  })
  const answer = await fetch(`${url}/services/oauth2/token`, { method: 'POST', body })
  return ((await answer.json()) as { access_token: string }).access_token
}

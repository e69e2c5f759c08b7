import { SANDBOX_CLIENT } from '@guidon/sandbox/salesforce/rest/sessions'

/** The most rows that one call may contain. */
const BATCH = 200

/** Sets a field of all these rows to the same value, as a bulk update by the provider does. */
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
    const response = await fetch(`${url}/services/data/v64.0/composite/sobjects`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ allOrNone: true, records }),
    })
    const outcomes = (await response.json()) as { success: boolean }[]
    if (!response.ok || outcomes.some(({ success }) => !success)) {
      throw new Error(`the CRM refused to change ${type}: ${response.status}`)
    }
  }
}

async function tokenOf(url: string): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: SANDBOX_CLIENT.id,
    client_secret: SANDBOX_CLIENT.secret,
  })
  const response = await fetch(`${url}/services/oauth2/token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}

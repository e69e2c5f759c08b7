export type ControlBody = NonNullable<RequestInit['body']>

/** Sends requests to the control addresses of a sandbox, which may run in another process. */
export function controlClient(url: string) {
  return async function request<Result>(
    method: string,
    path: string,
    body?: ControlBody,
  ): Promise<Result> {
    const response = await fetch(url + path, { method, ...(body !== undefined && { body }) })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Result
  }
}

import { vi } from 'vitest'

/** An `XMLHttpRequest` whose network and server the test controls. */
export class FakeUpload extends EventTarget {
  readonly upload = new EventTarget()
  readonly headers: Record<string, string> = {}
  method = ''
  url = ''
  withCredentials = false
  form = new FormData()
  /** The body, if it is not a form. */
  part: Blob | undefined
  aborted = false
  status = 0
  responseText = ''
  #responseHeaders: Record<string, string> = {}

  open(method: string, url: string): void {
    Object.assign(this, { method, url })
  }

  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value
  }

  getResponseHeader(name: string): string | null {
    return this.#responseHeaders[name] ?? null
  }

  send(body: FormData | Blob | undefined): void {
    if (body instanceof FormData) this.form = body
    else this.part = body
    sent.push(this)
    void onSend?.(this)
  }

  abort(): void {
    this.aborted = true
    this.#end('abort')
  }

  get file(): File {
    return this.form.get('file') as File
  }

  progress(share: number): void {
    const facts = { lengthComputable: true, loaded: share * 1000, total: 1000 }
    this.upload.dispatchEvent(new ProgressEvent('progress', facts))
  }

  finishSending(): void {
    this.upload.dispatchEvent(new ProgressEvent('load'))
  }

  respond(status: number, body?: unknown, headers: Record<string, string> = {}): void {
    this.status = status
    this.responseText = body === undefined ? '' : JSON.stringify(body)
    this.#responseHeaders = headers
    this.#end('load')
  }

  disconnect(): void {
    this.#end('error')
  }

  #end(how: string): void {
    this.dispatchEvent(new ProgressEvent(how))
    this.dispatchEvent(new ProgressEvent('loadend'))
  }
}

let sent: FakeUpload[] = []
let onSend: ((upload: FakeUpload) => unknown) | undefined

/** Replaces `XMLHttpRequest`, which uploads use instead of `fetch`. Returns the sent uploads. */
export function stubUploads(handleSend?: (upload: FakeUpload) => unknown): FakeUpload[] {
  sent = []
  onSend = handleSend
  vi.stubGlobal('XMLHttpRequest', FakeUpload)
  return sent
}

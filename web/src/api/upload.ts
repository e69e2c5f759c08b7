import type { ResponseOut, Endpoint, FormIn, Params } from '@guidon/contract/endpoint'
import { REQUEST_TIMEOUT_SECONDS } from '@guidon/contract/limits'
import { deleteUpload, TUS_VERSION } from '@guidon/contract/resumable-uploads'
import { withSessionRefresh } from './call.ts'
import { CHECK_SECONDS, sendBytes } from './send-bytes.ts'
import { addressOf, readResponse } from './send.ts'

interface Options {
  /** The fraction that has been sent, from 0 to 1; at 1 the server's check is still running. */
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

export type Upload<E extends Endpoint> = Options & { file: File; form: FormIn<E> } & ParamsOf<E>

type ParamsOf<E extends Endpoint> = keyof Params<E> extends never
  ? { params?: never }
  : { params: Params<E> }

/** `Upload` without the endpoint's types, for the implementation. */
interface UntypedUpload extends Options {
  file: File
  form: Record<string, string | undefined>
  params?: Record<string, string>
}

/**
 * Sends a file to an endpoint that takes a form. Like `call`, but the timeout restarts with every
 * progress: a large file may take long on a slow connection.
 */
export async function upload<E extends Endpoint>(
  endpoint: E,
  parts: Upload<E>,
): Promise<ResponseOut<E>> {
  const { file, form, params = {}, onProgress, signal } = parts as unknown as UntypedUpload
  const request = async () =>
    readResponse(
      endpoint,
      await sendBytes({
        endpoint,
        address: addressOf(endpoint, { params }),
        body: formOf(form, file),
        responseSeconds: CHECK_SECONDS,
        onProgress,
        signal,
      }),
    )
  return (await withSessionRefresh(endpoint, request)) as ResponseOut<E>
}

/** The fields come first, because the server needs them before the file. */
function formOf(fields: Record<string, string | undefined>, file: File): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, value)
  }
  form.append('file', file, file.name)
  return form
}

/** Deletes what the server has of an upload that was not finished. */
export async function deleteUnfinished(id: string): Promise<void> {
  const request = async () =>
    readResponse(
      deleteUpload,
      await sendBytes({
        endpoint: deleteUpload,
        address: addressOf(deleteUpload, { params: { id } }),
        headers: { 'Tus-Resumable': TUS_VERSION },
        responseSeconds: REQUEST_TIMEOUT_SECONDS,
      }),
    )
  await withSessionRefresh(deleteUpload, request)
}

export interface Target {
  /** Such as http://127.0.0.1:3000. */
  base: string
  /** The Origin header that is sent. */
  origin: string
  /** The Cookie header of a signed-in account; empty for an anonymous client. */
  cookie: string
  /** The client address that the balancer forwards; if absent, the server uses the address of the connection. */
  address?: string
}

export const forwardedFor = ({ address }: Pick<Target, 'address'>) =>
  address === undefined ? {} : { 'x-forwarded-for': address }

const BOUNDARY = 'attack-boundary'
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`

export const formStart = (name: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="documentType"\r\n\r\nOther\r\n` +
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n` +
  'Content-Type: application/pdf\r\n\r\n'
export const FORM_END = `\r\n--${BOUNDARY}--\r\n`

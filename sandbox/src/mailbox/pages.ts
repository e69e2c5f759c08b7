import { html } from '../html.ts'
import type { Html } from '../html.ts'
import { sandboxPage } from '../sandbox-page.ts'
import type { Message } from './store.ts'

const LABEL = 'Sandbox mailbox — development and tests only'

export function inboxPage(messages: readonly Message[], to: string): string {
  const count = messages.length === 1 ? '1 message' : `${messages.length} messages`
  const newest = messages[0]?.id ?? '0'
  return page(
    'Inbox',
    html`<form role="search">
        <label for="to">Sent to</label>
        <input id="to" name="to" type="search" value="${to}" autocomplete="off" />
        <button>Show</button>
      </form>
      <div id="inbox" data-newest="${newest}">
        <p role="status">${count}</p>
        ${messages.length === 0 ? html`` : table(messages)}
      </div>
      <script type="module" src="/inbox.js"></script>`,
  )
}

function table(messages: readonly Message[]): Html {
  return html`<table class="stacked">
    <thead>
      <tr>
        <th scope="col">Subject</th>
        <th scope="col">To</th>
        <th scope="col">Received</th>
      </tr>
    </thead>
    <tbody>
      ${messages.map(
        (message) =>
          html`<tr>
            <td><a href="/mail/${message.id}">${titleOf(message)}</a></td>
            <td>${message.to.join(', ')}</td>
            <td>${time(message)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

export function messagePage(message: Message): string {
  return page(
    titleOf(message),
    html`<p><a href="/">Back to the inbox</a></p>
      <dl>
        <dt>From</dt>
        <dd>${message.from}</dd>
        <dt>To</dt>
        <dd>${message.to.join(', ')}</dd>
        <dt>Received</dt>
        <dd>${time(message)}</dd>
      </dl>
      <h2>Text</h2>
      <pre>${message.text}</pre>
      ${message.html === undefined ? html`` : renderedHtml(message)}`,
  )
}

// Links open in a new tab; scripts and forms of the message are disabled.
function renderedHtml(message: Message): Html {
  return html`<h2>HTML</h2>
    <iframe
      title="The message as an email client shows it"
      src="/mail/${message.id}/html"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
    ></iframe>`
}

export function notFoundPage(): string {
  return page('Not found', html`<p>There is no such page. <a href="/">Inbox</a></p>`)
}

function titleOf(message: Message): string {
  return message.subject === '' ? '(no subject)' : message.subject
}

function time(message: Message): Html {
  const shown = message.receivedAt.slice(0, 19).replace('T', ' ')
  return html`<time datetime="${message.receivedAt}">${shown} UTC</time>`
}

const page = (title: string, body: Html) => sandboxPage({ label: LABEL, title, body })

const WAIT_MS = 25_000
const RETRY_MS = 5_000

/** Waits for a new message (a long poll) and refreshes the list. */
async function refreshWhenMailArrives() {
  const inbox = document.getElementById('inbox')
  const query = new URLSearchParams({ after: inbox.dataset.newest, wait: String(WAIT_MS) })
  const response = await fetch(`/messages?${query}`)
  const { messages } = await response.json()
  if (messages.length === 0) return
  const page = await (await fetch(location.href)).text()
  const fresh = new DOMParser().parseFromString(page, 'text/html').getElementById('inbox')
  inbox.dataset.newest = messages[0].id
  inbox.replaceChildren(...fresh.children)
}

for (;;) {
  try {
    await refreshWhenMailArrives()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

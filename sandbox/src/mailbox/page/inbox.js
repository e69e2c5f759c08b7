const WAIT_MS = 25_000
const AFTER_FAILURE_MS = 5_000

/** Shows new mail when it arrives: the server answers then, so nothing is asked in between. */
async function follow() {
  const inbox = document.getElementById('inbox')
  const wanted = new URLSearchParams({ after: inbox.dataset.newest, wait: String(WAIT_MS) })
  const answer = await fetch(`/messages?${wanted}`)
  const { messages } = await answer.json()
  if (messages.length === 0) return
  const page = await (await fetch(location.href)).text()
  const fresh = new DOMParser().parseFromString(page, 'text/html').getElementById('inbox')
  inbox.dataset.newest = messages[0].id
  inbox.replaceChildren(...fresh.children)
}

for (;;) {
  try {
    await follow()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, AFTER_FAILURE_MS))
  }
}

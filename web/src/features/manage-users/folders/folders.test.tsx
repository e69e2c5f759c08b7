import { boxSilent, FOLDER_MESSAGES } from '@guidon/contract/folders'
import { afterEach, expect, it, vi } from 'vitest'
import { reply, type Reply } from '../../../../test/test-app.tsx'
import { advanceSeconds, openDialog, typeInto } from '../../../../test/user-dialog.tsx'

const FOLDER = '/admin/users/maria/folder'
const found = { name: 'Santiago, Roberto', parentName: 'Veterans of 2019', problem: null }

afterEach(() => vi.useRealTimers())

async function typeId(answer: Reply, id = '99') {
  const opened = await openDialog('Edit', 'Maria', {
    replies: { [`${FOLDER}/preview?boxFolderId=${id}`]: answer },
  })
  typeInto('Box ID', id)
  return opened.dialog
}

it('shows the name of a typed folder and the folder that contains it', async () => {
  const dialog = await typeId(() => reply(200, found))
  expect(await dialog.findByRole('link', { name: /^Santiago, Roberto/ })).toHaveAttribute(
    'href',
    'https://box.example/folder/99',
  )
  expect(dialog.getByText('In the folder Veterans of 2019')).toBeVisible()
  typeInto('Box ID', '990')
  expect(dialog.queryByText('In the folder Veterans of 2019')).toBeNull()
})

it.each(['gone', 'containsOthers', 'taken'] as const)(
  'says why a folder cannot be used: %s',
  async (problem) => {
    const dialog = await typeId(() => reply(200, { name: null, parentName: null, problem }))
    const text = await dialog.findByText(FOLDER_MESSAGES[problem])
    expect(text.closest('[role=alert]')).not.toBeNull()
  },
)

it('says that Box does not respond', async () => {
  const dialog = await typeId(() => reply(503, boxSilent))
  expect(await dialog.findByText(boxSilent.message)).toBeVisible()
})

it.each(['0', '099', '9a'])('does not look up what is no id of a folder: %s', async (id) => {
  const asked = vi.fn<Reply>(() => reply(200, found))
  await typeId(asked, id)
  vi.useFakeTimers({ shouldAdvanceTime: true })
  await advanceSeconds(1)
  expect(asked).not.toHaveBeenCalled()
})

it('says why uploads wait, and that Salesforce has another folder', async () => {
  const { dialog } = await openDialog('Edit', 'Maria', {
    replies: { [FOLDER]: () => reply(200, { problem: 'gone', otherOfContact: '77' }) },
  })
  const text = await dialog.findByText(/^Uploads of this veteran wait\./)
  expect(text).toHaveTextContent(FOLDER_MESSAGES.gone)
  expect(
    dialog.getByText(/^Salesforce has another Box folder for this veteran: 77\./),
  ).toBeVisible()
})

it('says nothing of a folder without a problem', async () => {
  const asked = vi.fn<Reply>(() => reply(200, { problem: null, otherOfContact: null }))
  const { dialog } = await openDialog('Edit', 'Maria', { replies: { [FOLDER]: asked } })
  await vi.waitFor(() => expect(asked).toHaveBeenCalled())
  for (const status of dialog.getAllByRole('status')) expect(status).toBeEmptyDOMElement()
})

import type { ManagedUser } from '@guidon/contract/manage-users'
import { useEffect, useRef, useState } from 'react'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { PageHeading } from '../../ui/PageHeading.tsx'
import { Paper } from '../../ui/Paper.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { Typography } from '../../ui/Typography.tsx'
import { useMediaQuery } from '../../ui/use-media-query.ts'
import { withClass } from '../../ui/with-class.ts'
import { LinksToConfirmLink } from './links/LinksToConfirmLink.tsx'
import { Snackbar } from './Snackbar.tsx'
import { useUsers } from './use-users.ts'
import { useView } from './use-view.ts'
import type { UserParts } from './user-parts.ts'
import { SERVER_PAGING_NOTES, countText } from './user-texts.ts'
import { UserCards } from './UserCards.tsx'
import type { OpenDialog } from './UserMenu.tsx'
import { UsersPager } from './UsersPager.tsx'
import { UsersTable } from './UsersTable.tsx'
import { UsersToolbar } from './UsersToolbar.tsx'
import { nextSort, NO_FILTER } from './view.ts'
import css from './ManageUsersPage.module.css'

const UserDialog = lazyPart(async () => (await import('./UserDialog.tsx')).UserDialog)

const Head = withClass('div', css['head'])

/** A frame around the table; the cards of narrow screens have their own. */
const Frame = withClass(Paper, css['frame'])

const skeleton = Array.from({ length: 10 }, (_, row) => (
  <Skeleton key={row} height="3.6rem" className={css['skeleton']} />
))

export function ManageUsersPage(parts: UserParts) {
  const { view, change } = useView()
  const result = useUsers(view)
  const wide = useMediaQuery('(min-width: 900px)')
  const [dialog, setDialog] = useState<{ kind: Parameters<OpenDialog>[0]; user: ManagedUser }>()
  const [open, setOpen] = useState(false)
  const [message, setMessage] = useState('')
  const [typed, setTyped] = useState(view.q)
  const opener = useRef<HTMLElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const { data } = result

  // After the dialogs are unmounted, because each of them moves the focus then.
  useEffect(() => {
    if (dialog || !opener.current) return
    // The row is gone if the changed account does not match the filter any more.
    const target = opener.current.isConnected ? opener.current : document.querySelector('h1')
    target?.focus()
    opener.current = null
  }, [dialog])

  const show: OpenDialog = (kind, user, from) => {
    opener.current = from
    setDialog({ kind, user })
    setOpen(true)
  }
  function clear(): void {
    setTyped('')
    change(NO_FILTER)
    searchBox.current?.focus()
  }
  return (
    <>
      <Head>
        <PageHeading title="Manage Users" failed={result.error !== null}>
          Manage Users
        </PageHeading>
        <LinksToConfirmLink />
      </Head>
      <Frame variant="outlined">
        <div data-part="tools">
          <UsersToolbar
            view={view}
            onChange={change}
            typed={typed}
            onType={setTyped}
            searchBox={searchBox}
            offersSort={!wide}
            count={data ? countText(data.found ?? data.total) : ''}
          />
          {data?.serverPaging && (
            <Typography variant="body2" color="textSecondary" className={css['text']}>
              {SERVER_PAGING_NOTES[data.serverPaging]}
            </Typography>
          )}
        </div>
        <Loaded result={result} contentName="users" skeleton={skeleton}>
          {(shown) =>
            wide ? (
              <UsersTable
                users={shown.users}
                view={view}
                onSort={(column) => change((current) => nextSort(current, column))}
                onOpen={show}
                onClear={clear}
              />
            ) : (
              <UserCards users={shown.users} view={view} onOpen={show} onClear={clear} />
            )
          }
        </Loaded>
        {data && (
          <div data-part="pages">
            <UsersPager shown={data} view={view} onChange={change} />
          </div>
        )}
      </Frame>
      {dialog && (
        <UserDialog
          {...dialog}
          {...parts}
          open={open}
          onClose={() => setOpen(false)}
          onClosed={() => setDialog(undefined)}
          onMessage={setMessage}
        />
      )}
      <Snackbar text={message} onGone={() => setMessage('')} />
    </>
  )
}

-- Finds what staff did in the last hour, for the gauge guidon_staff_actions (staff-actions.ts).
create index audit_events_staff on audit_events (at) where event in (
  'documents_viewed', 'document_viewed', 'progress_viewed', 'deliveries_viewed', 'users_listed',
  'account_linked', 'account_unlinked', 'link_confirmed', 'link_refused', 'link_frozen',
  'password_set_by_staff');

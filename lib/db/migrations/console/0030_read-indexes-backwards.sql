DROP INDEX "console"."approvals_target";--> statement-breakpoint
DROP INDEX "console"."policies_history";--> statement-breakpoint
DROP INDEX "console"."audit_entries_staff";--> statement-breakpoint
DROP INDEX "console"."audit_entries_act";--> statement-breakpoint
DROP INDEX "console"."audit_entries_target";--> statement-breakpoint
DROP INDEX "console"."audit_entries_outcome";--> statement-breakpoint
DROP INDEX "console"."directory_accounts_transactions_due";--> statement-breakpoint
DROP INDEX "console"."inbox_events_newest";--> statement-breakpoint
DROP INDEX "console"."inbox_events_name";--> statement-breakpoint
DROP INDEX "console"."inbox_events_account";--> statement-breakpoint
DROP INDEX "console"."inbox_events_payout";--> statement-breakpoint
DROP INDEX "console"."inbox_events_transaction";--> statement-breakpoint
DROP INDEX "console"."operations_target";--> statement-breakpoint
DROP INDEX "console"."service_requests_environment";--> statement-breakpoint
DROP INDEX "console"."service_requests_failed";--> statement-breakpoint
DROP INDEX "console"."notes_target";--> statement-breakpoint
CREATE INDEX "approvals_target" ON "console"."approvals" USING btree ("environment","target_id","created_at");--> statement-breakpoint
CREATE INDEX "policies_history" ON "console"."policies" USING btree ("environment","proposed_at");--> statement-breakpoint
CREATE INDEX "audit_entries_staff" ON "console"."audit_entries" USING btree ("staff_id","number");--> statement-breakpoint
CREATE INDEX "audit_entries_act" ON "console"."audit_entries" USING btree ("act","number");--> statement-breakpoint
CREATE INDEX "audit_entries_target" ON "console"."audit_entries" USING btree ("target_id","number");--> statement-breakpoint
CREATE INDEX "audit_entries_outcome" ON "console"."audit_entries" USING btree ("outcome","number");--> statement-breakpoint
CREATE INDEX "directory_accounts_transactions_due" ON "console"."directory_accounts" USING btree ("environment","figures_changed_at") WHERE transactions_read_at is null or transactions_read_at < figures_changed_at;--> statement-breakpoint
CREATE INDEX "inbox_events_newest" ON "console"."inbox_events" USING btree ("environment","position");--> statement-breakpoint
CREATE INDEX "inbox_events_name" ON "console"."inbox_events" USING btree ("environment","event","position");--> statement-breakpoint
CREATE INDEX "inbox_events_account" ON "console"."inbox_events" USING btree ("environment",lower(card_account_id),"position");--> statement-breakpoint
CREATE INDEX "inbox_events_payout" ON "console"."inbox_events" USING btree ("environment",lower(payout_id),"position") WHERE payout_id is not null;--> statement-breakpoint
CREATE INDEX "inbox_events_transaction" ON "console"."inbox_events" USING btree ("environment",lower(transaction_id),"position") WHERE transaction_id is not null;--> statement-breakpoint
CREATE INDEX "operations_target" ON "console"."operations" USING btree ("environment","target_id","created_at");--> statement-breakpoint
CREATE INDEX "service_requests_environment" ON "console"."service_requests" USING btree ("environment","id");--> statement-breakpoint
CREATE INDEX "service_requests_failed" ON "console"."service_requests" USING btree ("environment","id") WHERE status is null or status >= 400;--> statement-breakpoint
CREATE INDEX "notes_target" ON "console"."notes" USING btree ("environment","target_type",lower(target_id),"created_at");
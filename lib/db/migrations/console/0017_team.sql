CREATE TABLE "console"."notes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"target_type" text NOT NULL,
	"target_id" text NOT NULL,
	"target_parent_id" text,
	"target_label" text,
	"text" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"staff_name" text NOT NULL,
	"staff_role" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"pinned_at" timestamp (3) with time zone,
	"for_role" text,
	"for_staff_id" uuid,
	"for_staff_name" text,
	"done_at" timestamp (3) with time zone,
	"done_by_name" text
);
--> statement-breakpoint
CREATE TABLE "console"."saved_views" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"list" text NOT NULL,
	"name" text NOT NULL,
	"query" text NOT NULL,
	"columns" jsonb,
	"is_default" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "console"."inbox_events" ADD COLUMN "transaction_id" text;--> statement-breakpoint
ALTER TABLE "console"."notes" ADD CONSTRAINT "notes_for_staff_id_staff_id_fk" FOREIGN KEY ("for_staff_id") REFERENCES "console"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "console"."saved_views" ADD CONSTRAINT "saved_views_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "console"."staff"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notes_target" ON "console"."notes" USING btree ("environment","target_type",lower(target_id),"created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "notes_waiting_for_staff" ON "console"."notes" USING btree ("environment","for_staff_id","created_at") WHERE for_staff_id is not null and done_at is null;--> statement-breakpoint
CREATE INDEX "notes_waiting_for_role" ON "console"."notes" USING btree ("environment","for_role","created_at") WHERE for_role is not null and done_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_name" ON "console"."saved_views" USING btree ("environment","staff_id","list",lower(name));--> statement-breakpoint
CREATE UNIQUE INDEX "saved_views_default" ON "console"."saved_views" USING btree ("environment","staff_id","list") WHERE is_default;--> statement-breakpoint
CREATE INDEX "audit_entries_request" ON "console"."audit_entries" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_unfinished_of_staff" ON "console"."bulk_jobs" USING btree ("environment","staff_id") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "inbox_events_transaction" ON "console"."inbox_events" USING btree ("environment",lower(transaction_id),"position" DESC NULLS LAST) WHERE transaction_id is not null;--> statement-breakpoint
CREATE INDEX "operations_request" ON "console"."operations" USING btree ("request_id") WHERE request_id is not null;--> statement-breakpoint
CREATE INDEX "operations_unsettled_of_staff" ON "console"."operations" USING btree ("environment","staff_id") WHERE state = 'unknown';
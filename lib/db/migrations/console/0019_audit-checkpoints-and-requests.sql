CREATE TABLE "console"."audit_checkpoint_files" (
	"file" text PRIMARY KEY NOT NULL,
	"sequence" integer NOT NULL,
	"line_hash" text NOT NULL,
	"http_sequence" integer DEFAULT 0 NOT NULL,
	"syslog_sequence" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console"."service_requests" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"endpoint" text NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer,
	"code" text,
	"duration_ms" integer NOT NULL,
	"attempts" integer NOT NULL,
	"request_id" text,
	"operation_id" uuid,
	"console_request_id" text,
	"request_body" text,
	"request_note" text,
	"response_body" text,
	"response_note" text
);
--> statement-breakpoint
ALTER TABLE "console"."bulk_jobs" ADD COLUMN "caller" jsonb;--> statement-breakpoint
ALTER TABLE "console"."operations" ADD COLUMN "caller" jsonb;--> statement-breakpoint
CREATE INDEX "service_requests_environment" ON "console"."service_requests" USING btree ("environment","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "service_requests_request" ON "console"."service_requests" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "service_requests_console_request" ON "console"."service_requests" USING btree ("console_request_id");--> statement-breakpoint
CREATE INDEX "service_requests_operation" ON "console"."service_requests" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "service_requests_failed" ON "console"."service_requests" USING btree ("environment","id" DESC NULLS LAST) WHERE status is null or status >= 400;--> statement-breakpoint
CREATE INDEX "audit_entries_outcome" ON "console"."audit_entries" USING btree ("outcome","number" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "audit_entries_own" ON "console"."audit_entries" USING btree ("target_id","staff_id","number");
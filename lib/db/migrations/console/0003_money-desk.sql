CREATE TABLE "console"."bulk_items" (
	"job_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"operation_id" uuid NOT NULL,
	"target_type" text NOT NULL,
	"target_id" text NOT NULL,
	"target_parent_id" text,
	"target_label" text,
	"endpoint" text NOT NULL,
	"body" jsonb NOT NULL,
	"facts" jsonb NOT NULL,
	"state" text NOT NULL,
	"code" text,
	"message" text,
	"request_id" text,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "bulk_items_job_id_position_pk" PRIMARY KEY("job_id","position")
);
--> statement-breakpoint
CREATE TABLE "console"."bulk_jobs" (
	"id" uuid PRIMARY KEY NOT NULL,
	"environment" text NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"reason" text,
	"staff_id" uuid NOT NULL,
	"staff_name" text NOT NULL,
	"staff_role" text NOT NULL,
	"content_digest" text NOT NULL,
	"state" text NOT NULL,
	"paused_because" text,
	"silent_since" timestamp (3) with time zone,
	"silent_rows" integer DEFAULT 0 NOT NULL,
	"total" integer NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"lease_holder" uuid,
	"next_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console"."directory_payouts" (
	"environment" text NOT NULL,
	"id" uuid NOT NULL,
	"xid" text,
	"account_id" text NOT NULL,
	"method" text NOT NULL,
	"status" text NOT NULL,
	"sub_status" text,
	"source_currency" text NOT NULL,
	"source_amount" numeric(24, 8),
	"destination_currency" text NOT NULL,
	"destination_amount" numeric(24, 8),
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"search_text" text NOT NULL,
	"record" jsonb NOT NULL,
	"read_at" timestamp (3) with time zone NOT NULL,
	"reading" bigint NOT NULL,
	CONSTRAINT "directory_payouts_environment_id_pk" PRIMARY KEY("environment","id")
);
--> statement-breakpoint
CREATE TABLE "console"."payout_readings" (
	"environment" text PRIMARY KEY NOT NULL,
	"reading" bigint DEFAULT 0 NOT NULL,
	"reading_since" timestamp (3) with time zone,
	"as_of" timestamp (3) with time zone,
	"payouts" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console"."payout_states" (
	"environment" text NOT NULL,
	"payout_id" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status" text NOT NULL,
	"sub_status" text NOT NULL,
	"cancellation_reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "payout_states_environment_payout_id_at_status_sub_status_pk" PRIMARY KEY("environment","payout_id","at","status","sub_status")
);
--> statement-breakpoint
CREATE TABLE "console"."rate_readings" (
	"environment" text NOT NULL,
	"base_currency" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "rate_readings_environment_base_currency_pk" PRIMARY KEY("environment","base_currency")
);
--> statement-breakpoint
CREATE TABLE "console"."rate_samples" (
	"environment" text NOT NULL,
	"base_currency" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"rates" jsonb NOT NULL,
	"kept_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "rate_samples_environment_base_currency_at_pk" PRIMARY KEY("environment","base_currency","at")
);
--> statement-breakpoint
ALTER TABLE "console"."inbox_events" ADD COLUMN "payout_id" uuid;--> statement-breakpoint
ALTER TABLE "console"."operations" ADD COLUMN "result_id" text;--> statement-breakpoint
ALTER TABLE "console"."bulk_items" ADD CONSTRAINT "bulk_items_job_id_bulk_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "console"."bulk_jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bulk_items_state" ON "console"."bulk_items" USING btree ("job_id","state","position");--> statement-breakpoint
CREATE INDEX "bulk_items_operation" ON "console"."bulk_items" USING btree ("operation_id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_by_created" ON "console"."bulk_jobs" USING btree ("environment","created_at","id");--> statement-breakpoint
CREATE INDEX "bulk_jobs_open" ON "console"."bulk_jobs" USING btree ("next_at") WHERE finished_at is null;--> statement-breakpoint
CREATE INDEX "directory_payouts_by_created" ON "console"."directory_payouts" USING btree ("environment","created_at","id");--> statement-breakpoint
CREATE INDEX "directory_payouts_by_updated" ON "console"."directory_payouts" USING btree ("environment","updated_at","id");--> statement-breakpoint
CREATE INDEX "directory_payouts_status" ON "console"."directory_payouts" USING btree ("environment","status","created_at");--> statement-breakpoint
CREATE INDEX "directory_payouts_by_source" ON "console"."directory_payouts" USING btree ("environment","source_currency",coalesce(source_amount, 0),"id");--> statement-breakpoint
CREATE INDEX "directory_payouts_by_destination" ON "console"."directory_payouts" USING btree ("environment","destination_currency",coalesce(destination_amount, 0),"id");--> statement-breakpoint
CREATE INDEX "rate_samples_kept_until" ON "console"."rate_samples" USING btree ("kept_until");--> statement-breakpoint
CREATE INDEX "inbox_events_payout" ON "console"."inbox_events" USING btree ("environment","payout_id","position" DESC NULLS LAST) WHERE payout_id is not null;--> statement-breakpoint
CREATE INDEX "operations_result" ON "console"."operations" USING btree ("environment","result_id") WHERE result_id is not null;
CREATE TABLE "console"."connection_checks" (
	"environment" text PRIMARY KEY NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	"checked_by" text NOT NULL,
	"report" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "console"."deviations" (
	"environment" text NOT NULL,
	"endpoint" text NOT NULL,
	"kind" text NOT NULL,
	"path" text NOT NULL,
	"expected" text NOT NULL,
	"found" text NOT NULL,
	"count" integer NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"last_request_id" text,
	CONSTRAINT "deviations_environment_endpoint_kind_path_expected_found_pk" PRIMARY KEY("environment","endpoint","kind","path","expected","found")
);
--> statement-breakpoint
CREATE TABLE "console"."endpoint_problems" (
	"environment" text NOT NULL,
	"endpoint" text NOT NULL,
	"kind" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"code" text,
	"request_id" text,
	"diagnosis" text,
	CONSTRAINT "endpoint_problems_environment_endpoint_pk" PRIMARY KEY("environment","endpoint")
);
--> statement-breakpoint
ALTER TABLE "console"."service_health" ADD COLUMN "last_accepted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "console"."service_health" ADD COLUMN "failing" text;--> statement-breakpoint
ALTER TABLE "console"."service_health" ADD COLUMN "failing_requests" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."service_health" ADD COLUMN "failing_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "console"."service_health" ADD COLUMN "slow_since" timestamp (3) with time zone;